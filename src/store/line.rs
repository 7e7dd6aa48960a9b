//! The form of every line in journal and snapshot: JSON, a tab, the CRC-32 of the JSON in eight hexadecimal digits.

use serde::Serialize;
use serde::de::DeserializeOwned;

/// What stands after the JSON: tab and digits, without the line's end.
const SEAL: usize = 9;

/// Adds one line to `out`.
///
/// # Errors
/// When the value has no JSON form (a map with keys that are no texts).
pub(super) fn write<T: Serialize>(out: &mut Vec<u8>, value: &T) -> serde_json::Result<()> {
    let start = out.len();
    if let Err(error) = serde_json::to_writer(&mut *out, value) {
        out.truncate(start);
        return Err(error);
    }
    let crc = crc32fast::hash(&out[start..]);
    out.extend_from_slice(format!("\t{crc:08x}\n").as_bytes());
    Ok(())
}

/// The JSON of a line that is whole: ends with a line feed and has the right sum.
pub(super) fn json(line: &[u8]) -> Option<&[u8]> {
    let line = line.strip_suffix(b"\n")?;
    let (json, seal) = line.split_at_checked(line.len().checked_sub(SEAL)?)?;
    let digits = std::str::from_utf8(seal.strip_prefix(b"\t")?).ok()?;
    let crc = u32::from_str_radix(digits, 16).ok()?;
    (crc == crc32fast::hash(json)).then_some(json)
}

/// The value of a whole line; `None` when the line is damaged or says something else.
pub(super) fn read<T: DeserializeOwned>(line: &[u8]) -> Option<T> {
    serde_json::from_slice(json(line)?).ok()
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
    fn a_line_cut_anywhere_or_with_any_bit_turned_is_not_whole() {
        let whole = line("b1c3");
        for length in 0..whole.len() {
            assert_eq!(json(&whole[..length]), None, "cut to {length}");
        }
        for bit in 0..whole.len() * 8 {
            let mut bent = whole.clone();
            bent[bit / 8] ^= 1 << (bit % 8);
            // A digit of the sum may turn from lower to upper case: the same number.
            assert!(
                json(&bent).is_none_or(|json| json == br#""b1c3""#),
                "bit {bit}"
            );
        }
    }
}
