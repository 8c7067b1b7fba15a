//! (Placeholder until the real one is merged.)
use super::ClusterError;
/// How the server is reached.
#[derive(Debug, Clone)]
pub struct Access { pub url: String }
impl Access {
    pub(super) async fn connect(&self, name: &str) -> Result<async_nats::Client, ClusterError> {
        async_nats::ConnectOptions::new().name(name).connect(&self.url).await.map_err(|e| ClusterError::Server(e.to_string()))
    }
}
