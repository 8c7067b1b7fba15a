//! Routes: one table from which the router is built, and which a test compares with what everybody
//! may do.

mod account;
mod home;
mod join;
mod login;
#[cfg(test)]
mod tests;

use axum::Router;
use axum::routing::{MethodRouter, get, post};

use super::app::App;
use super::asset::routes as asset_routes;
use super::errors::{Form, formed};
use super::headers::secured;

/// A route of the pages: method, path with the names of what varies in braces, and handler.
type Route = (&'static str, &'static str, fn() -> MethodRouter<App>);

/// All pages and forms. A `GET` changes nothing.
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
];

/// The pages of a server.
pub fn pages(app: App) -> Router {
    let router = ROUTES
        .iter()
        .fold(Router::new(), |router, (_, path, handler)| router.route(path, handler()));
    let (site, log) = (app.site().to_owned(), app.log());
    let router = router.with_state(app).merge(asset_routes());
    secured(formed(router, Form::Pages, &site, log))
}
