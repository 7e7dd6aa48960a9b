//! The form of every line in journal and snapshot: JSON, a tab, the CRC-32 of the JSON in eight hexadecimal digits.

use serde::Serialize;
use serde::de::DeserializeOwned;

/// What stands after the JSON: tab and digits, without the line's end.
const SEAL: usize = 9;

/// Adds one line to `out`; the sum of its JSON.
///
/// # Errors
/// When the value has no JSON form (a map with keys that are no texts).
pub(super) fn write<T: Serialize>(out: &mut Vec<u8>, value: &T) -> serde_json::Result<u32> {
    let start = out.len();
    if let Err(error) = serde_json::to_writer(&mut *out, value) {
        out.truncate(start);
        return Err(error);
    }
    let crc = crc32fast::hash(&out[start..]);
    out.extend_from_slice(format!("\t{crc:08x}\n").as_bytes());
    Ok(crc)
}

/// The JSON of a line that is whole, and its sum. A carriage return before the line's end, as of a file that went
/// through another system, is read; the last line of a file may lack its end.
pub(super) fn opened(line: &[u8]) -> Option<(&[u8], u32)> {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    let (json, seal) = line.split_at_checked(line.len().checked_sub(SEAL)?)?;
    let digits = std::str::from_utf8(seal.strip_prefix(b"\t")?).ok()?;
    let crc = u32::from_str_radix(digits, 16).ok()?;
    (crc == crc32fast::hash(json)).then_some((json, crc))
}

/// The value of a whole line; `None` when the line is damaged or says something else.
pub(super) fn read<T: DeserializeOwned>(line: &[u8]) -> Option<T> {
    serde_json::from_slice(opened(line)?.0).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(text: &str) -> Vec<u8> {
        let mut out = Vec::new();
        write(&mut out, &text).unwrap();
        out
    }

    #[test]
    fn a_whole_line_is_read_back() {
        assert_eq!(read::<String>(&line("ä\n\t")).as_deref(), Some("ä\n\t"));
    }

    #[test]
    fn a_line_without_its_end_or_with_the_end_of_another_system_is_whole() {
        let whole = line("b1c3");
        let bare = whole.strip_suffix(b"\n").unwrap();
        for end in ["", "\n", "\r\n", "\r"] {
            let line = [bare, end.as_bytes()].concat();
            assert_eq!(read::<String>(&line).as_deref(), Some("b1c3"), "{end:?}");
        }
    }

    #[test]
    fn a_line_cut_anywhere_or_with_any_bit_turned_is_not_whole() {
        let whole = line("b1c3");
        for length in 0..whole.len() - 1 {
            assert_eq!(opened(&whole[..length]), None, "cut to {length}");
        }
        for bit in 0..whole.len() * 8 {
            let mut bent = whole.clone();
            bent[bit / 8] ^= 1 << (bit % 8);
            // A digit of the sum may turn from lower to upper case: the same number.
            assert!(
                opened(&bent).is_none_or(|(json, _)| json == br#""b1c3""#),
                "bit {bit}"
            );
        }
    }
}
