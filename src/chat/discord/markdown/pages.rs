//! Contents within Discord's bound: long ones cut, or parted at the ends of lines.

use super::FENCE;

/// The most characters of a message's content. Counted in UTF-16, which is never less than Discord counts.
pub(in crate::chat::discord) const LONGEST: usize = 2000;

/// What a cut content ends with.
const CUT: &str = "…";

/// The content in parts of at most [`LONGEST`], parted at line ends, a block of columns fenced in each part; at least one part,
/// which may be empty.
pub(in crate::chat::discord) fn pages(content: &str) -> Vec<String> {
    parted(content, LONGEST)
}

/// The content up to [`LONGEST`]; with “…” where something is missing.
pub(in crate::chat::discord) fn cut(content: &str) -> String {
    cut_to(content, LONGEST)
}

/// The content, cut if need be, with lines in columns below it.
pub(in crate::chat::discord) fn with_block(content: &str, lines: &str) -> String {
    let block = format!("\n{FENCE}\n{}\n{FENCE}", lines.trim_matches('\n'));
    let room = LONGEST.saturating_sub(length(&block));
    if room < SHORTEST {
        return cut(content);
    }
    format!("{}{block}", cut_to(content, room))
}

/// The least that is left of a content for lines in columns below it.
const SHORTEST: usize = 200;

fn cut_to(content: &str, most: usize) -> String {
    if length(content) <= most {
        return content.to_owned();
    }
    let mut parts = parted(content, most - length(CUT) - 1).into_iter();
    let first = parts.next().unwrap_or_default();
    // Behind a fence the dots would belong to it.
    let between = if first.ends_with(FENCE) { "\n" } else { "" };
    format!("{first}{between}{CUT}")
}

fn length(text: &str) -> usize {
    text.encode_utf16().count()
}

fn parted(content: &str, most: usize) -> Vec<String> {
    let mut page = Page::new(most);
    for line in content.split('\n') {
        page.add(line);
    }
    page.done()
}

/// A page being filled, and those before it.
struct Page {
    most: usize,
    full: Vec<String>,
    lines: Vec<String>,
    length: usize,
    /// The line stands within a block; only our own fences stand alone in a line, what people wrote is escaped.
    fenced: bool,
}

impl Page {
    fn new(most: usize) -> Page {
        Page {
            most,
            full: Vec::new(),
            lines: Vec::new(),
            length: 0,
            fenced: false,
        }
    }

    fn add(&mut self, line: &str) {
        if line == FENCE {
            // A fence is opened only where a line and its end still fit.
            if !self.fenced && self.length + 40 > self.most {
                self.turn();
            }
            self.fenced = !self.fenced;
            self.push(line);
            return;
        }
        let mut rest = line;
        loop {
            let closing = if self.fenced { FENCE.len() + 1 } else { 0 };
            let room = self.most.saturating_sub(self.length + closing);
            if length(rest) < room || (length(rest) == room && self.length > 0) {
                break self.push(rest);
            }
            let begun = if self.fenced { 1 } else { 0 };
            if self.lines.len() > begun {
                self.turn();
                continue;
            }
            // A line longer than a page.
            let (head, tail) = split(rest, room.saturating_sub(1).max(1));
            self.push(head);
            self.turn();
            rest = tail;
            if rest.is_empty() {
                break;
            }
        }
    }

    fn push(&mut self, line: &str) {
        self.length += length(line) + 1;
        self.lines.push(line.to_owned());
    }

    fn turn(&mut self) {
        if self.fenced {
            self.lines.push(FENCE.to_owned());
        }
        self.full.push(self.lines.join("\n").trim_end().to_owned());
        self.lines.clear();
        self.length = 0;
        if self.fenced {
            self.push(FENCE);
        }
    }

    fn done(mut self) -> Vec<String> {
        if !self.lines.is_empty() || self.full.is_empty() {
            self.full.push(self.lines.join("\n").trim_end().to_owned());
        }
        let more = self.full.len() > 1;
        self.full.retain(|page| !more || !page.trim().is_empty());
        if self.full.is_empty() {
            self.full.push(String::new());
        }
        self.full
    }
}

/// The line in two: the first at most so long, parted at a space if there is one.
fn split(line: &str, most: usize) -> (&str, &str) {
    let mut taken = 0;
    let mut end = line.len();
    for (at, c) in line.char_indices() {
        taken += c.len_utf16();
        if taken > most {
            end = at;
            break;
        }
    }
    let head = &line[..end];
    match head.rfind(' ') {
        Some(space) if space > 0 && end < line.len() => (&line[..space], &line[space + 1..]),
        _ => {
            // A backslash is not parted from what it escapes.
            let backslashes = head.len() - head.trim_end_matches('\\').len();
            let end = if backslashes % 2 == 1 && end < line.len() && end > 1 {
                end - 1
            } else {
                end
            };
            line.split_at(end)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_fits_is_one_page() {
        assert_eq!(pages("a\nb"), ["a\nb"]);
        assert_eq!(pages(""), [""]);
        let full = "x".repeat(LONGEST - 1);
        assert_eq!(pages(&full).concat(), full);
        assert_eq!(pages(&full).len(), 1);
        assert_eq!(cut(&full), full);
    }

    #[test]
    fn long_contents_are_parted_at_line_ends() {
        let line = "word ".repeat(30);
        let content = vec![line.trim_end(); 40].join("\n");
        let parts = pages(&content);
        assert!(parts.len() > 2);
        assert!(parts.iter().all(|part| length(part) <= LONGEST));
        assert_eq!(parts.join("\n"), content, "nothing is lost");
    }

    #[test]
    fn a_block_is_fenced_on_every_page() {
        let rows: Vec<String> = (0..200)
            .map(|row| format!("row {row} {}", "·".repeat(30)))
            .collect();
        let content = format!("Before\n```\n{}\n```\nAfter", rows.join("\n"));
        let parts = pages(&content);
        assert!(parts.len() > 3);
        for part in &parts {
            assert!(length(part) <= LONGEST);
            let fences = part.lines().filter(|line| *line == FENCE).count();
            assert_eq!(fences % 2, 0, "{part}");
        }
        let kept: Vec<&str> = parts
            .iter()
            .flat_map(|part| part.lines())
            .filter(|line| line.starts_with("row "))
            .collect();
        assert_eq!(kept, rows.iter().map(String::as_str).collect::<Vec<_>>());
    }

    #[test]
    fn a_line_longer_than_a_page_is_parted_at_a_space() {
        let content = "12345 ".repeat(1000);
        let parts = pages(&content);
        assert!(parts.iter().all(|part| length(part) <= LONGEST));
        assert!(
            parts
                .iter()
                .all(|part| part.split(' ').all(|word| word == "12345"))
        );
        let words: usize = parts.iter().map(|part| part.split(' ').count()).sum();
        assert_eq!(words, 1000);
        let solid = "é😀".repeat(3000);
        assert_eq!(pages(&solid).concat(), solid);
        assert!(pages(&solid).iter().all(|part| length(part) <= LONGEST));
    }

    #[test]
    fn a_cut_content_says_so() {
        let content = vec!["a line of the list"; 400].join("\n");
        let short = cut(&content);
        assert!(length(&short) <= LONGEST && short.ends_with("…"));
        let block = format!("```\n{}\n```", vec!["a b c"; 600].join("\n"));
        let short = cut(&block);
        assert!(length(&short) <= LONGEST && short.ends_with("```\n…"));
        let both = with_block(&content, "a b\nc d\n");
        assert!(length(&both) <= LONGEST && both.ends_with("…\n```\na b\nc d\n```"));
        assert_eq!(with_block("x", "a"), "x\n```\na\n```");
    }
}
