//! Making a move by hand: a piece, its target, what it becomes; with dice one move after the other. What has been chosen
//! stands in the menus themselves, so that nothing is remembered and nothing lost.

use std::sync::Arc;

use super::component::Press;
use super::custom_id;
use super::menu::{LINES, Line, Look, Menu};
use super::reply;
use super::words::{self, hand as said};
use crate::command::hand::{Hand, Pick, Step};
use crate::ids::TableCode;
use crate::table::Table;

/// Between what has been chosen and the page of the menu.
const PAGE: char = '~';

/// The next step of a move at a table, after `state`.
pub(super) async fn go_on(press: &Press<'_>, code: TableCode, version: u64, state: &str) {
    let (chosen, page) = match state.split_once(PAGE) {
        Some((chosen, page)) => (chosen, page.parse().unwrap_or(0)),
        None => (state, 0),
    };
    let table = match press.discord.club.load(code).await {
        Ok(table) => table,
        Err(error) => return reply::trouble(press.speech, press.responder, &error).await,
    };
    if table.position_version() != version {
        return press.is_from_an_old_board(code).await;
    }
    if table.on_turn_now() != Some(press.caller.person) {
        return press.show(reply::plain(said::NOT_YOURS)).await;
    }
    let Ok(hand) = chosen.parse::<Hand>() else {
        return press.show(reply::plain(words::OTHER_VERSION)).await;
    };
    let steps = Steps {
        code,
        version,
        hand,
        page,
    };
    steps.show(press, &table).await;
}

/// Where the making of a move has come to.
struct Steps {
    code: TableCode,
    version: u64,
    hand: Hand,
    page: usize,
}

impl Steps {
    async fn show(&self, press: &Press<'_>, table: &Arc<Table>) {
        let menu = match self.hand.next(table) {
            Step::Nothing => return press.show(reply::plain(said::NOTHING)).await,
            Step::Ready { moves } => return press.act(&self.line(&moves)).await,
            Step::Piece { picks, so_far } => self.piece(&picks, so_far.as_deref()),
            Step::Target { picks } => self.among(said::WHERE_TO, &picks),
            Step::Becomes { picks } => self.among(said::WHAT_IT_BECOMES, &picks),
        };
        press.show(menu.body()).await;
    }

    fn piece(&self, picks: &[Pick], so_far: Option<&str>) -> Menu {
        let Some(moves) = so_far else {
            return self.paged(said::WHICH_PIECE, picks);
        };
        let asked = format!("{} {}", said::so_far(moves), said::WHICH_PIECE);
        let play = custom_id::act(Some(self.version), &self.line(moves));
        self.among(&asked, picks)
            .button(said::PLAY, Look::Main, &play)
    }

    /// A step behind the first, from which one can go back to it.
    fn among(&self, asked: &str, picks: &[Pick]) -> Menu {
        self.paged(asked, picks)
            .button(said::START_AGAIN, Look::Plain, &self.chosen(""))
    }

    fn paged(&self, asked: &str, picks: &[Pick]) -> Menu {
        let pages = picks.len().div_ceil(LINES).max(1);
        let page = self.page.min(pages - 1);
        let lines: Vec<Line> = picks
            .iter()
            .skip(page * LINES)
            .take(LINES)
            .map(|pick| Line {
                label: pick.label.clone(),
                about: pick.about.clone(),
                does: self.chosen(&pick.value),
            })
            .collect();
        let mut menu = Menu::asking(asked).lines(&lines);
        let to = |page: usize| self.chosen(&format!("{}{PAGE}{page}", self.hand));
        if page > 0 {
            menu = menu.button(said::EARLIER, Look::Plain, &to(page - 1));
        }
        if page + 1 < pages {
            menu = menu.button(said::MORE, Look::Plain, &to(page + 1));
        }
        menu
    }

    fn chosen(&self, state: &str) -> String {
        custom_id::hand(self.version, self.code, state)
    }

    fn line(&self, moves: &str) -> String {
        format!("move {moves} table:{}", self.code)
    }
}
