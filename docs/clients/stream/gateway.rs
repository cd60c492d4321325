//! Signed requests to the gateway. The handshake of the stream is one of them.
use hmac::{Hmac, Mac};
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::{error::Error, process::exit, thread::sleep, time::Duration, time::SystemTime};
use uuid::Uuid;

/// An error ends the connection, and another begins.
pub type Fallible<T> = Result<T, Box<dyn Error>>;

pub struct Gateway {
    pub base: String,
    pub key: String,
    pub secret: String,
    pub http: ureq::Agent,
}

impl Gateway {
    /// A GET without a body, with a nonce, a time and a signature of its own.
    pub fn signed(&self, route: &str) -> Fallible<ureq::Request> {
        let request = self.http.get(&format!("{}{route}", self.base));
        let path = request.request_url()?.path().to_string();
        let time = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH)?.as_millis().to_string();
        let (nonce, hash) = (Uuid::new_v4().to_string(), format!("{:x}", Sha256::digest("")));
        let mut mac = Hmac::<Sha256>::new_from_slice(self.secret.as_bytes())?;
        mac.update([&time, &nonce, "GET", &path, "application/json", &hash].join("\n").as_bytes());
        let signature = format!("{:x}", mac.finalize().into_bytes());
        Ok(request.set("X-API-KEY", &self.key).set("X-API-TIMESTAMP", &time).set("X-API-NONCE", &nonce)
            .set("X-API-SIGNATURE", &signature).set("Content-Type", "application/json"))
    }
}

pub fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_string()
}

pub fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

/// The `data` of the answer.
pub fn data(request: ureq::Request) -> Fallible<Value> {
    match request.call() {
        Ok(answer) => Ok(serde_json::from_str::<Value>(&answer.into_string()?)?["data"].take()),
        Err(ureq::Error::Status(_, answer)) => Err(refused(answer)),
        Err(lost) => Err(lost.into()),
    }
}

/// Waits as long as the answer asks, and says why. Most refusals stay the same: they end the program.
pub fn refused(answer: ureq::Response) -> Box<dyn Error> {
    let status = answer.status();
    let after = answer.header("Retry-After").and_then(|text| text.parse().ok()).unwrap_or(0);
    let why = format!("refused: {status} {}", answer.into_string().unwrap_or_default());
    if status / 100 == 4 && status != 429 {
        give_up(&why);
    }
    sleep(Duration::from_secs(after));
    why.into()
}

/// Ends the program with the code of a client that cannot know.
pub fn give_up(why: &str) -> ! {
    eprintln!("{why}");
    exit(3)
}
