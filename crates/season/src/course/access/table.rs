//! Table of permissions.

use super::Why;
use super::actor::{Scope, Standing};
use super::object::CourseState::{self, Closed, Draft, Frozen, Open, Paused};

/// Action that requires a permission.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Action {
    /// See the ladder, bots, games and replays.
    ViewResults,
    /// See a bot's output, build log, findings, source, and `lost.json`.
    ViewEvidence,
    /// Submit a version.
    Upload,
    /// Choose the version that plays, or withdraw one.
    ChooseVersion,
    /// Request games that do not count.
    AskForGames,
    /// Play in the browser.
    Play,
    /// See the grade of a group, with its reasons.
    ViewGrade,
    /// See the members of a course and the names behind its groups.
    ViewPeople,
    /// Make groups and move people between them.
    ManageGroups,
    /// Suspend a version, and reactivate it.
    Suspend,
    /// Invite and import people.
    Invite,
    /// Set deadlines.
    SetDeadline,
    /// Freeze versions, and start a final.
    Freeze,
    /// Void games.
    Void,
    /// Export the grades of everybody.
    ExportGrades,
    /// Show students their grades, or hide them again.
    PublishGrades,
    /// Change the settings and the state of a course.
    EditCourse,
    /// Read the audit log of the staff.
    ViewAudit,
    /// Give people their roles in a course.
    SetRole,
    /// Change one's own passphrase, sessions and tokens.
    ManageAccount,
    /// Erase a person.
    ErasePerson,
    /// Make courses, and change the settings of the server.
    Administer,
}

/// Entry of the table: the answer for one standing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cell {
    Yes,
    /// Yes if the object is the actor's or of the actor's group.
    Own,
    /// Yes if the course lets guests play.
    GuestsIfAllowed,
    /// The object is treated as missing.
    Hidden,
    No(Why),
}

/// Row of the table: permissions by standing, required scope, and states of the course.
#[derive(Debug, Clone, Copy)]
pub(super) struct Row {
    /// Admin, teacher, assistant, owner, student of the course, guest.
    cells: [Cell; 6],
    /// Required scope of a token. `None` if no token may do it.
    pub(super) scope: Option<Scope>,
    pub(super) states: &'static [CourseState],
}

impl Row {
    pub(super) fn cell(&self, standing: Standing) -> Cell {
        self.cells[standing as usize]
    }
}

const ALWAYS: &[CourseState] = &[Draft, Open, Paused, Frozen, Closed];
const BEFORE_THE_END: &[CourseState] = &[Draft, Open, Paused, Frozen];
/// A draft is hidden from students, but staff submit bots there for tests.
const HANDING_IN: &[CourseState] = &[Draft, Open];

impl Action {
    /// All actions.
    pub const ALL: [Self; 22] = [
        Self::ViewResults,
        Self::ViewEvidence,
        Self::Upload,
        Self::ChooseVersion,
        Self::AskForGames,
        Self::Play,
        Self::ViewGrade,
        Self::ViewPeople,
        Self::ManageGroups,
        Self::Suspend,
        Self::Invite,
        Self::SetDeadline,
        Self::Freeze,
        Self::Void,
        Self::ExportGrades,
        Self::PublishGrades,
        Self::EditCourse,
        Self::ViewAudit,
        Self::SetRole,
        Self::ManageAccount,
        Self::ErasePerson,
        Self::Administer,
    ];

    /// The table. A refusal is visible to staff, but objects of others are hidden from students.
    #[expect(clippy::match_same_arms, reason = "one row for each action, to be read as a table")]
    pub(super) const fn row(self) -> Row {
        use Cell::{GuestsIfAllowed, Hidden, Own, Yes};
        const NO: Cell = Cell::No(Why::Role);
        let read = Some(Scope::Read);
        let upload = Some(Scope::Upload);
        let admin = Some(Scope::Admin);
        //                admin teacher assistant owner student guest
        let (cells, scope, states) = match self {
            Self::ViewResults => ([Yes, Yes, Yes, Yes, Yes, Yes], read, ALWAYS),
            Self::ViewEvidence => ([Yes, Yes, Yes, Yes, Hidden, Hidden], read, ALWAYS),
            // Staff submit for a group of their own, to test the student's view.
            Self::Upload => ([Own, Own, Own, Yes, Hidden, Hidden], upload, HANDING_IN),
            Self::ChooseVersion => ([Own, Own, Own, Yes, Hidden, Hidden], upload, HANDING_IN),
            Self::AskForGames => ([Own, Own, Own, Yes, Hidden, Hidden], upload, BEFORE_THE_END),
            Self::Play => ([Yes, Yes, Yes, Yes, Yes, GuestsIfAllowed], None, BEFORE_THE_END),
            Self::ViewGrade => ([Yes, Yes, Yes, Yes, Hidden, Hidden], read, ALWAYS),
            Self::ViewPeople => ([Yes, Yes, Yes, NO, NO, Hidden], admin, ALWAYS),
            Self::ManageGroups => ([Yes, Yes, Yes, NO, NO, Hidden], admin, BEFORE_THE_END),
            Self::Suspend => ([Yes, Yes, Yes, NO, NO, Hidden], admin, BEFORE_THE_END),
            Self::Invite => ([Yes, Yes, NO, NO, NO, Hidden], admin, BEFORE_THE_END),
            Self::SetDeadline => ([Yes, Yes, NO, NO, NO, Hidden], admin, BEFORE_THE_END),
            Self::Freeze => ([Yes, Yes, NO, NO, NO, Hidden], admin, BEFORE_THE_END),
            Self::Void => ([Yes, Yes, NO, NO, NO, Hidden], admin, BEFORE_THE_END),
            Self::ExportGrades => ([Yes, Yes, Yes, NO, NO, Hidden], admin, ALWAYS),
            Self::PublishGrades => ([Yes, Yes, NO, NO, NO, Hidden], admin, ALWAYS),
            Self::EditCourse => ([Yes, Yes, NO, NO, NO, Hidden], admin, ALWAYS),
            Self::ViewAudit => ([Yes, Yes, NO, NO, NO, Hidden], admin, ALWAYS),
            Self::SetRole => ([Yes, Yes, NO, NO, NO, Hidden], None, ALWAYS),
            // An account belongs to no course, so its actor is the owner or the admin.
            Self::ManageAccount => ([Own, Hidden, Hidden, Yes, Hidden, Hidden], None, ALWAYS),
            Self::ErasePerson => ([Yes, NO, NO, NO, Hidden, Hidden], None, ALWAYS),
            Self::Administer => ([Yes, NO, NO, NO, NO, Hidden], None, ALWAYS),
        };
        Row { cells, scope, states }
    }
}
