//! Letters and digits as phones and keyboards of all scripts make them.

use unicode_normalization::UnicodeNormalization;

/// The zeros of all scripts that count by ten; each is followed by its other nine digits (Unicode, category Nd). What is a
/// variant of `0` to `9` only, such as the full-width digits, is not among them.
const ZEROS: [u32; 65] = [
    0x0660, 0x06F0, 0x07C0, 0x0966, 0x09E6, 0x0A66, 0x0AE6, 0x0B66, 0x0BE6, 0x0C66, 0x0CE6, 0x0D66,
    0x0DE6, 0x0E50, 0x0ED0, 0x0F20, 0x1040, 0x1090, 0x17E0, 0x1810, 0x1946, 0x19D0, 0x1A80, 0x1A90,
    0x1B50, 0x1BB0, 0x1C40, 0x1C50, 0xA620, 0xA8D0, 0xA900, 0xA9D0, 0xA9F0, 0xAA50, 0xABF0,
    0x1_04A0, 0x1_0D30, 0x1_1066, 0x1_10F0, 0x1_1136, 0x1_11D0, 0x1_12F0, 0x1_1450, 0x1_14D0,
    0x1_1650, 0x1_16C0, 0x1_1730, 0x1_18E0, 0x1_1950, 0x1_1C50, 0x1_1D50, 0x1_1DA0, 0x1_1F50,
    0x1_6A60, 0x1_6AC0, 0x1_6B50, 0x1_E140, 0x1_E2F0, 0x1_E4F0, 0x1_E5F1, 0x1_E950, 0x1_0D40,
    0x1_16D0, 0x1_16DA, 0x1_1BF0,
];

/// Full-width forms and the like as plain letters, and the digits of all scripts as `0` to `9`.
#[must_use]
pub fn narrowed(text: &str) -> String {
    text.nfkc().map(digit).collect()
}

fn digit(letter: char) -> char {
    let code = u32::from(letter);
    let value = ZEROS
        .iter()
        .find_map(|zero| code.checked_sub(*zero).filter(|value| *value < 10));
    let digit = value.and_then(|value| char::from_digit(value, 10));
    digit.unwrap_or(letter)
}

#[cfg(test)]
mod tests {
    use super::{ZEROS, narrowed};

    #[test]
    fn digits_of_all_scripts_are_read() {
        assert_eq!(
            narrowed("b١c٣ b۱c۳ b१c३ ｂ１ｃ３ 𝟙𝟵"),
            "b1c3 b1c3 b1c3 b1c3 19"
        );
        for zero in ZEROS {
            let digits: String = (0..10)
                .filter_map(|value| char::from_u32(zero + value))
                .collect();
            assert!(digits.chars().all(char::is_numeric), "{zero:x}");
            assert_eq!(narrowed(&digits), "0123456789", "{zero:x}");
        }
        assert_eq!(narrowed("ж½é"), "ж1⁄2é");
    }
}
