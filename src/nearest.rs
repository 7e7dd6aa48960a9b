//! "Did you mean": the known name most like a mistyped one.

/// The candidate most like `written`, if one is near enough to be worth naming: one that begins with it, else one with at most
/// a third of its letters different.
pub fn nearest<'a>(written: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let written = written.to_lowercase();
    let allowed = (written.chars().count() / 3).max(1);
    candidates
        .filter(|candidate| !candidate.is_empty())
        .map(|candidate| (distance(&written, &candidate.to_lowercase()), candidate))
        .filter(|(distance, candidate)| {
            *distance <= allowed || (written.chars().count() >= 2 && begins(candidate, &written))
        })
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

fn begins(candidate: &str, written: &str) -> bool {
    candidate.to_lowercase().starts_with(written)
}

/// Letters to insert, drop, change or swap with their neighbour to make one word from the other.
fn distance(a: &str, b: &str) -> usize {
    let a: Vec<char> = a.chars().take(64).collect();
    let b: Vec<char> = b.chars().take(64).collect();
    let mut rows = vec![vec![0; b.len() + 1]; a.len() + 1];
    for (i, row) in rows.iter_mut().enumerate() {
        row[0] = i;
    }
    for (j, cell) in rows[0].iter_mut().enumerate() {
        *cell = j;
    }
    for i in 1..=a.len() {
        for j in 1..=b.len() {
            let change = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut least = change.min(rows[i - 1][j] + 1).min(rows[i][j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                least = least.min(rows[i - 2][j - 2] + 1);
            }
            rows[i][j] = least;
        }
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_like_is_named_and_nothing_when_none_is_like() {
        let names = ["move", "moves", "remove", "resign", "rematch"];
        let near = |written| nearest(written, names.into_iter());
        assert_eq!(near("mvoe"), Some("move"));
        assert_eq!(near("resing"), Some("resign"));
        assert_eq!(near("remat"), Some("rematch"));
        assert_eq!(near("zzz"), None);
        assert_eq!(near(""), None);
        assert_eq!(near("é"), None);
    }
}
