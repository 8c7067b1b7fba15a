//! Route table, from which the router is built, and which a test compares with the table of
//! permissions.

mod account;
mod api;
mod course;
mod health;
mod home;
mod join;
mod login;
#[cfg(test)]
mod tests;

use axum::Router;
use axum::routing::{MethodRouter, any, get, post};

use super::app::App;
use super::asset::routes as asset_routes;
use super::bounds::{REQUEST, with_limits};
use super::errors::{Form, with_error_format};
use super::headers::{same_site, with_security_headers};
use super::metrics::with_counts;
use super::problem::{Kind, Problem};
use super::socket::socket;
use super::unchanged::with_entity_tags;
use super::upload::{self, body_limit};
use api::ApiRoute;
pub(crate) use course::docs::prepare_documents;
pub(super) use login::local;

/// Route of the pages: method, path with parameters in braces, and handler.
type Route = (&'static str, &'static str, fn() -> MethodRouter<App>);

/// All pages and forms. `GET` requests change nothing.
const ROUTES: &[Route] = &[
    ("GET", "/", || get(home::courses)),
    ("GET", "/login", || get(login::form)),
    ("POST", "/login", || post(login::log_in)),
    ("POST", "/logout", || post(login::log_out)),
    ("GET", "/join", || get(join::form)),
    ("POST", "/join", || post(join::join)),
    ("GET", "/account", || get(account::page)),
    ("POST", "/account/passphrase", || post(account::change_passphrase)),
    ("POST", "/account/sessions/{id}/end", || post(account::end_session)),
    ("POST", "/account/sessions/end", || post(account::end_others)),
    ("POST", "/account/tokens", || post(account::create_token)),
    ("POST", "/account/tokens/{id}/revoke", || post(account::revoke_token)),
    ("GET", "/c/{course}", || get(course::front::page)),
    ("GET", "/c/{course}/ladder/{ladder}", || get(course::ladder::page)),
    ("GET", "/c/{course}/finals/{final}", || get(course::finals::page)),
    ("GET", "/c/{course}/ladder/{ladder}/games", || get(course::games::page)),
    ("GET", "/c/{course}/ladder/{ladder}/versus/{bot}/{opponent}", || get(course::games::versus)),
    ("GET", "/c/{course}/games/{game}", || get(course::game::page)),
    ("GET", "/c/{course}/games/{game}/stream", || get(course::live::stream)),
    ("GET", "/c/{course}/games/{game}/lost.json", || get(course::game::file)),
    ("GET", "/c/{course}/tv", || get(course::tv::page)),
    ("GET", "/c/{course}/stream", || get(course::stream::stream)),
    ("GET", "/c/{course}/play", || get(course::play::form)),
    ("POST", "/c/{course}/play", || post(course::play::begin)),
    ("GET", "/c/{course}/play/{play}", || get(course::play::page)),
    ("GET", "/c/{course}/play/{play}/stream", || get(course::play::stream)),
    ("POST", "/c/{course}/play/{play}/moves", || post(course::play::play)),
    ("POST", "/c/{course}/play/{play}/back", || post(course::play::take_back)),
    ("POST", "/c/{course}/play/{play}/leave", || post(course::play::leave)),
    ("POST", "/c/{course}/play/{play}/evaluate", || post(course::play::evaluate)),
    ("GET", "/c/{course}/docs", || get(course::docs::page)),
    ("GET", "/c/{course}/me", || get(course::me::page)),
    ("POST", "/c/{course}/me/seen", || post(course::me::seen)),
    ("POST", "/c/{course}/bots", || post(course::bot::add)),
    ("GET", "/c/{course}/bots/{bot}", || get(course::bot::page)),
    ("POST", "/c/{course}/bots/{bot}/rank", || post(course::bot::rank)),
    ("POST", "/c/{course}/bots/{bot}/unpin", || post(course::bot::unpin)),
    ("POST", "/c/{course}/asks", || post(course::asks::ask)),
    ("GET", "/c/{course}/asks/{ask}", || get(course::asks::page)),
    ("POST", "/c/{course}/asks/{ask}/cancel", || post(course::asks::cancel)),
    ("POST", "/c/{course}/bots/{bot}/people", || post(course::bot::let_people_play)),
    ("POST", "/c/{course}/bots/{bot}/retire", || post(course::bot::retire)),
    ("GET", "/c/{course}/bots/{bot}/versions/{number}", || get(course::version::page)),
    ("GET", "/c/{course}/bots/{bot}/versions/{number}/upload", || get(course::version::upload)),
    ("POST", "/c/{course}/bots/{bot}/versions/{number}/choose", || post(course::version::choose)),
    ("POST", "/c/{course}/bots/{bot}/versions/{number}/withdraw", || {
        post(course::version::withdraw)
    }),
    ("POST", "/c/{course}/bots/{bot}/versions/{number}/suspend", || post(course::version::suspend)),
    ("POST", "/c/{course}/bots/{bot}/versions/{number}/retry", || post(course::version::retry)),
    ("GET", "/c/{course}/admin", || get(course::admin::page)),
    ("GET", "/c/{course}/admin/audit", || get(course::admin::audit)),
    ("GET", "/c/{course}/admin/grades", || get(course::grades::page)),
    ("GET", "/c/{course}/admin/grades/{file}", || get(course::grades::file)),
    ("POST", "/c/{course}/admin/grades/publish", || post(course::grades::publish)),
    ("POST", "/c/{course}/admin/grades/withdraw", || post(course::grades::withdraw)),
    ("POST", "/c/{course}/admin/people", || post(course::admin::import)),
    ("POST", "/c/{course}/admin/invite", || post(course::admin::invite)),
    ("POST", "/c/{course}/admin/groups", || post(course::admin::add_group)),
    ("GET", "/c/{course}/admin/members/{person}", || get(course::members::page)),
    ("POST", "/c/{course}/admin/members/{person}", || post(course::members::set_group)),
    ("POST", "/c/{course}/admin/members/{person}/code", || post(course::members::renew_code)),
    ("POST", "/c/{course}/admin/members/{person}/end", || post(course::members::end)),
    ("POST", "/c/{course}/admin/deadlines", || post(course::admin::add_deadline)),
    ("GET", "/c/{course}/admin/deadlines/{deadline}", || get(course::frozen::page)),
    ("POST", "/c/{course}/admin/deadlines/{deadline}/replace", || post(course::frozen::replace)),
    ("POST", "/c/{course}/admin/deadlines/{deadline}/remove", || {
        post(course::admin::remove_deadline)
    }),
    ("POST", "/c/{course}/admin/deadlines/{deadline}/freeze", || post(course::admin::freeze)),
    ("POST", "/c/{course}/admin/deadlines/{deadline}/final", || post(course::admin::write_final)),
    ("POST", "/c/{course}/admin/finals/{final}/play", || post(course::finals::play)),
    ("POST", "/c/{course}/admin/finals/{final}/stop", || post(course::finals::stop)),
    ("POST", "/c/{course}/admin/finals/{final}/publish", || post(course::finals::publish)),
    ("POST", "/c/{course}/admin/ladders/{ladder}", || post(course::settings::set_ladder)),
    ("POST", "/c/{course}/admin/settings", || post(course::settings::set_course)),
    ("POST", "/c/{course}/admin/state", || post(course::settings::set_state)),
    ("GET", "/socket", || get(socket)),
    ("GET", "/healthz", || get(health::healthz)),
    ("GET", "/readyz", || get(health::readyz)),
];

/// Forms with files, which have a longer timeout.
const UPLOADS: &[Route] = &[("POST", "/c/{course}/bots/{bot}/versions", || {
    post(course::bot::hand_in).layer(body_limit())
})];

/// Router of the pages and the API.
pub fn router(app: &App) -> Router {
    let pages = with_limits(routed(app, ROUTES).merge(asset_routes()).fallback(absent), REQUEST);
    let uploads = with_limits(routed(app, UPLOADS), upload::TIMEOUT);
    let api = routed(app, &of_api(api::ROUTES)).route("/api/{*rest}", any(absent));
    let api_uploads = with_limits(routed(app, &of_api(api::UPLOADS)), upload::TIMEOUT);
    let pages = with_errors(app, pages.merge(uploads), Form::Pages);
    let api = with_errors(app, with_limits(api, REQUEST).merge(api_uploads), Form::Documents);
    with_counts(with_security_headers(with_entity_tags(pages).merge(api), app.transport()), app)
}

fn of_api(routes: &[ApiRoute]) -> Vec<Route> {
    routes.iter().map(|route| (route.method, route.path, route.handler)).collect()
}

fn routed(app: &App, routes: &[Route]) -> Router {
    let add = |router: Router<App>, (_, path, handler): &Route| router.route(path, handler());
    routes.iter().fold(Router::new(), add).with_state(app.clone())
}

fn with_errors(app: &App, router: Router, form: Form) -> Router {
    // The inner layer, so that a refused request also gets a formatted error.
    with_error_format(same_site(router), form, app.site(), app.log())
}

/// Handler for unknown paths. The API needs a route for it, because the fallback responds with a
/// page.
async fn absent() -> Problem {
    Problem::new(Kind::NotFound)
}
