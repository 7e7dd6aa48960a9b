//! What the bot may do in a channel, and what it needs there (R20, R41).

use serenity::model::permissions::Permissions;

use super::words;
use crate::command::run::Lacking;

/// What the invite link asks for: all that is needed or wished, and nothing else.
const INVITED: Permissions = Permissions::VIEW_CHANNEL
    .union(Permissions::SEND_MESSAGES)
    .union(Permissions::ATTACH_FILES)
    .union(Permissions::READ_MESSAGE_HISTORY)
    .union(Permissions::CREATE_PUBLIC_THREADS)
    .union(Permissions::SEND_MESSAGES_IN_THREADS);

/// The link by which a server's owner invites the bot.
pub(super) fn invitation(application: u64) -> String {
    format!(
        "https://discord.com/oauth2/authorize?client_id={application}&scope=bot+applications.commands&permissions={}",
        INVITED.bits()
    )
}

/// What the bot lacks, by the permissions that an interaction says it has. Needed is what a game cannot be played without.
pub(super) fn lacking(
    app_permissions: Permissions,
    in_thread: bool,
    threads_on: bool,
) -> Vec<Lacking> {
    if app_permissions.contains(Permissions::ADMINISTRATOR) {
        return Vec::new();
    }
    // A thread has a permission of its own for posting; the channel's is not asked there.
    let post = if in_thread {
        (Permissions::SEND_MESSAGES_IN_THREADS, words::POST_IN_THREAD)
    } else {
        (Permissions::SEND_MESSAGES, words::POST)
    };
    let always = [
        (Permissions::VIEW_CHANNEL, words::VIEW),
        post,
        (Permissions::ATTACH_FILES, words::ATTACH),
        (Permissions::READ_MESSAGE_HISTORY, words::HISTORY),
    ];
    let for_threads = [
        (Permissions::CREATE_PUBLIC_THREADS, words::THREADS),
        (Permissions::SEND_MESSAGES_IN_THREADS, words::INTO_THREADS),
    ];
    let wanted = for_threads.into_iter().filter(|_| threads_on && !in_thread);
    always
        .into_iter()
        .chain(wanted)
        .filter(|(permission, _)| !app_permissions.contains(*permission))
        .map(|(_, lacking)| lacking)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(permissions: Permissions, in_thread: bool, threads_on: bool) -> Vec<&'static str> {
        let lacking = lacking(permissions, in_thread, threads_on);
        lacking.iter().map(|one| one.name).collect()
    }

    #[test]
    fn with_what_the_invite_link_asks_for_nothing_is_lacking() {
        assert_eq!(names(INVITED, false, true), [""; 0]);
        assert_eq!(names(INVITED, true, true), [""; 0]);
        assert_eq!(names(Permissions::ADMINISTRATOR, false, true), [""; 0]);
    }

    #[test]
    fn r20_what_is_needed_comes_first_and_is_told_from_what_is_wished() {
        let all = lacking(Permissions::empty(), false, true);
        let needed: Vec<&str> = all
            .iter()
            .filter(|one| one.needed)
            .map(|one| one.name)
            .collect();
        assert_eq!(needed, ["View Channel", "Send Messages"]);
        assert_eq!(
            names(Permissions::empty(), false, true),
            [
                "View Channel",
                "Send Messages",
                "Attach Files",
                "Read Message History",
                "Create Public Threads",
                "Send Messages in Threads"
            ]
        );
        assert_eq!(
            names(INVITED - Permissions::CREATE_PUBLIC_THREADS, false, false),
            [""; 0]
        );
    }

    #[test]
    fn r41_a_thread_has_its_own_permission_to_post() {
        let without = INVITED - Permissions::SEND_MESSAGES_IN_THREADS;
        let lacking = lacking(without, true, false);
        assert_eq!(lacking.len(), 1);
        assert_eq!(lacking[0].name, "Send Messages in Threads");
        assert!(lacking[0].needed);
        assert_eq!(
            names(INVITED - Permissions::SEND_MESSAGES, true, false),
            [""; 0]
        );
    }

    #[test]
    fn the_docs_name_the_bits_of_the_invite_link() {
        let docs = include_str!("../../../docs/discord.md");
        let link = invitation(1234);
        assert!(
            docs.contains(&link.replace("1234", "YOUR_APPLICATION_ID")),
            "{link}"
        );
    }
}
