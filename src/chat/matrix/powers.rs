//! What somebody may do in a room, by its power levels. In rooms of version 12 its creators may do everything.

use matrix_sdk::Room;
use matrix_sdk::ruma::UserId;
use matrix_sdk::ruma::events::MessageLikeEventType;
use matrix_sdk::ruma::events::room::power_levels::{RoomPowerLevels, UserPowerLevel};

/// From which level on somebody runs a room: a moderator's.
const MODERATOR: i32 = 50;

/// What somebody may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Power {
    moderates: bool,
    sends: bool,
}

impl Power {
    #[cfg(test)]
    pub(super) const ALL: Power = Power {
        moderates: true,
        sends: true,
    };
    #[cfg(test)]
    pub(super) const NONE: Power = Power {
        moderates: false,
        sends: false,
    };

    /// Whether they run and moderate the room.
    pub(super) fn moderates(self) -> bool {
        self.moderates
    }

    /// Whether they may write in it.
    pub(super) fn may_send(self) -> bool {
        self.sends
    }
}

/// What `user` may do in a room, as far as the last sync tells.
pub(super) async fn power(room: &Room, user: &UserId) -> Power {
    let levels = room.power_levels_or_default().await;
    let kind = match room.encryption_state().is_encrypted() {
        true => MessageLikeEventType::RoomEncrypted,
        false => MessageLikeEventType::RoomMessage,
    };
    of(&levels, user, kind)
}

fn of(levels: &RoomPowerLevels, user: &UserId, kind: MessageLikeEventType) -> Power {
    let level = levels.for_user(user);
    Power {
        moderates: level >= UserPowerLevel::Int(MODERATOR.into()),
        sends: levels.user_can_send_message(user, kind),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use matrix_sdk::ruma::events::room::power_levels::RoomPowerLevelsEventContent;
    use matrix_sdk::ruma::room_version_rules::AuthorizationRules;
    use matrix_sdk::ruma::user_id;
    use serde_json::json;

    fn levels(content: serde_json::Value, rules: &AuthorizationRules) -> RoomPowerLevels {
        let content: RoomPowerLevelsEventContent = serde_json::from_value(content).unwrap();
        let creator = user_id!("@cy:a.org").to_owned();
        RoomPowerLevels::new(content.into(), rules, vec![creator])
    }

    #[test]
    fn moderators_run_a_room_and_a_muted_room_lets_nobody_else_write() {
        let content = json!({"users": {"@di:a.org": 50}, "events_default": 50, "events": {"m.room.encrypted": 100}});
        let levels = levels(content, &AuthorizationRules::V11);
        let of = |user, kind| {
            let power = super::of(&levels, user, kind);
            (power.moderates(), power.may_send())
        };
        let plain = MessageLikeEventType::RoomMessage;
        let (di, ed) = (user_id!("@di:a.org"), user_id!("@ed:a.org"));
        assert_eq!(of(di, plain.clone()), (true, true));
        assert_eq!(of(di, MessageLikeEventType::RoomEncrypted), (true, false));
        assert_eq!(of(ed, plain), (false, false));
    }

    #[test]
    fn the_creator_of_a_version_12_room_runs_it_without_a_level() {
        let levels = levels(json!({"events_default": 100}), &AuthorizationRules::V12);
        let power = of(
            &levels,
            user_id!("@cy:a.org"),
            MessageLikeEventType::RoomMessage,
        );
        assert!(power.moderates() && power.may_send());
    }
}
