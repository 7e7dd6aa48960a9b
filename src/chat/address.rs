//! Addresses of servers, as they may be shown.

/// The address without a name and password before its host.
pub(super) fn without_password(url: &str) -> String {
    match url.split_once("://") {
        Some((scheme, rest)) => {
            let host = rest.find('/').unwrap_or(rest.len());
            let behind = rest[..host].rfind('@').map_or(0, |at| at + 1);
            format!("{scheme}://{}", &rest[behind..])
        }
        None => url.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_in_the_address_is_not_shown() {
        for (url, shown) in [
            (
                "http://user:secret@127.0.0.1:9/a@b",
                "http://127.0.0.1:9/a@b",
            ),
            ("https://discord.com", "https://discord.com"),
            ("http://u:p@q@host", "http://host"),
        ] {
            assert_eq!(without_password(url), shown);
        }
    }
}
