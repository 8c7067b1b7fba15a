//! Routes: one table from which the router is built, and which a test compares with what everybody
//! may do.

mod account;
mod api;
mod home;
mod join;
mod login;
#[cfg(test)]
mod tests;

use axum::Router;
use axum::routing::{MethodRouter, any, get, post};

use super::app::App;
use super::asset::routes as asset_routes;
use super::bounds::{REQUEST, bounded};
use super::errors::{Form, formed};
use super::headers::secured;
use super::problem::{Kind, Problem};

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

/// The API. Tokens are the only key.
const API_ROUTES: &[Route] = &[("GET", "/api/v1/me", || get(api::me))];

/// The pages and the API of a server.
pub fn router(app: &App) -> Router {
    let pages = routed(app, ROUTES).merge(asset_routes()).fallback(absent);
    let pages = with_errors(app, pages, Form::Pages);
    let api = routed(app, API_ROUTES).route("/api/{*rest}", any(absent));
    secured(pages.merge(with_errors(app, api, Form::Documents)))
}

fn routed(app: &App, routes: &[Route]) -> Router {
    let add = |router: Router<App>, (_, path, handler): &Route| router.route(path, handler());
    routes.iter().fold(Router::new(), add).with_state(app.clone())
}

fn with_errors(app: &App, router: Router, form: Form) -> Router {
    formed(bounded(router, REQUEST), form, app.site(), app.log())
}

/// What is not there. In the API it needs a route, because the fallback answers with a page.
async fn absent() -> Problem {
    Problem::new(Kind::NotFound)
}
