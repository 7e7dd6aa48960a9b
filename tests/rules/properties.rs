//! A short run of what the fuzz targets look for at length.

use proptest::collection::vec;
use proptest::prelude::*;

use crate::anything::read_anything;
use crate::walk::walk;

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn play_keeps_its_invariants(bytes in vec(any::<u8>(), 0..600)) {
        walk(&bytes);
    }

    #[test]
    fn r86_any_text_is_read_or_refused(head in vec(any::<u8>(), 24), text in "\\PC*") {
        read_anything(&[head.as_slice(), text.as_bytes()].concat());
    }

    #[test]
    fn move_like_texts_are_read_or_refused(
        head in vec(any::<u8>(), 24),
        text in "([KQRBNEHSFIMGPa-n]?[a-n]?[0-9]{0,2}[- x→–]?[a-n][0-9]{1,2}[=]?[A-Za-z]?[+#!? ]?){1,4}",
    ) {
        read_anything(&[head.as_slice(), text.as_bytes()].concat());
    }
}
