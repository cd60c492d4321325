//! Places and cancels orders so that none is doubled and none is lost: the rules are in docs/clients/README.md, and
//! `gatewright exam` tries them. `cargo new careful`, this file as src/main.rs, and what the standard library does not have:
//! `cargo add ureq@2 hmac@0.12 sha2@0.10 serde_json httpdate; cargo add uuid --features v4`.
use hmac::{Hmac, Mac};
use serde_json::{json, Value};
use sha2::{Digest, Sha256};
use std::{env::var, fs, process::exit, thread::sleep, time::Duration, time::SystemTime};
use uuid::Uuid;

/// A status with `Retry-After` and `data`; None when no answer came, or a part of one.
type Answer = Option<(u16, f64, Value)>;

struct Client {
    base: String,
    key: String,
    secret: String,
    http: ureq::Agent,
    ahead_ms: i128, // by which the clock of the gateway is ahead of ours, as its `Date` shows
}

fn setting(name: &str) -> String {
    var(format!("GATEWRIGHT_{name}")).unwrap_or_else(|_| cannot_know(format!("GATEWRIGHT_{name} is not set")))
}

fn cannot_know(why: String) -> ! {
    eprintln!("{why}");
    exit(3)
}

fn ms(time: SystemTime) -> i128 {
    time.duration_since(SystemTime::UNIX_EPOCH).expect("after 1970").as_millis() as i128
}

impl Client {
    /// One try, with a nonce, a time and a signature of its own.
    fn send(&mut self, method: &str, route: &str, body: &str) -> Answer {
        let request = self.http.request(method, &format!("{}{route}", self.base));
        let path = request.request_url().ok()?.path().to_string();
        let (time, nonce) = ((ms(SystemTime::now()) + self.ahead_ms).to_string(), Uuid::new_v4().to_string());
        let hash = format!("{:x}", Sha256::digest(body));
        let mut mac = Hmac::<Sha256>::new_from_slice(self.secret.as_bytes()).expect("any length is a key");
        mac.update([&time, &nonce, method, &path, "application/json", &hash].join("\n").as_bytes());
        let signature = format!("{:x}", mac.finalize().into_bytes());
        let signed = request.set("X-API-KEY", &self.key).set("X-API-TIMESTAMP", &time).set("X-API-NONCE", &nonce)
            .set("X-API-SIGNATURE", &signature).set("Content-Type", "application/json");
        let response = match if body.is_empty() { signed.call() } else { signed.send_string(body) } {
            Ok(response) | Err(ureq::Error::Status(_, response)) => response,
            Err(lost) => { eprintln!("{method} {route}: {lost}"); return None; }
        };
        let status = response.status();
        let after = response.header("Retry-After").and_then(|text| text.parse().ok()).unwrap_or(0.0);
        if let (401, Some(date)) = (status, response.header("Date").and_then(|text| httpdate::parse_http_date(text).ok())) {
            self.ahead_ms = ms(date) - ms(SystemTime::now());
        }
        let text = response.into_string().ok()?;
        if status != 200 {
            eprintln!("{method} {route}: {status} {text}");
            return Some((status, after, Value::Null)); // a proxy refuses without JSON
        }
        let mut answer: Value = serde_json::from_str(&text).ok()?;
        Some((status, after, answer["data"].take()))
    }

    /// Tries again while nobody can say what became of the request: the same body, and so the same client_order_id.
    fn call(&mut self, method: &str, route: &str, body: &str) -> Value {
        let mut refused = 0;
        for pause in [0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 5.0, 5.0, 5.0, 5.0] {
            let chance = f64::from(Uuid::new_v4().as_bytes()[0]) / 1024.0; // not all clients at once
            let wait = match self.send(method, route, body) {
                Some((401, after, _)) if refused < 2 => { refused += 1; after } // a clock that is off, or a used nonce
                Some((status, _, data)) if status != 429 && status < 500 => return data,
                Some((_, after, _)) => after,
                None => 0.0, // it may have been done
            };
            sleep(Duration::from_secs_f64(wait + pause * (0.75 + chance)));
        }
        cannot_know(format!("{method} {route}: no answer in ten tries"))
    }

    /// An answer to a placement or a cancel may be older than its order: it is read until its status is no passing one.
    fn settled(&mut self, id: &str, passing: &str) -> Value {
        for _ in 0..50 {
            let order = self.call("GET", &format!("/order/{id}"), "");
            if order["status"].as_str().map_or(false, |status| !passing.contains(status)) {
                return order;
            }
            sleep(Duration::from_millis(200));
        }
        cannot_know(format!("{id} stays {passing}"))
    }
}

fn main() {
    let http = ureq::AgentBuilder::new().timeout(Duration::from_secs(10)).redirects(0).max_idle_connections(0).build();
    let (base, key, secret) = (setting("BASE_URL"), setting("KEY_ID"), setting("SECRET"));
    let mut client = Client { base, key, secret, http, ahead_ms: 0 };
    let text = fs::read_to_string(setting("TASK")).expect("the task can be read");
    let mut task: Value = serde_json::from_str(&text).expect("the task is JSON");
    let (mut said, mut ids, cancels) = (vec![], vec![], task["task"] == "cancel");
    for order in task["orders"].as_array_mut().expect("orders") {
        order["client_order_id"] = json!(Uuid::new_v4().to_string());
        let body = order.to_string();
        let mut placed = client.call("POST", "/order", &body);
        if placed["type"].as_str().map_or(false, |outcome| outcome.ends_with("_EXECUTION_FAILED")) {
            placed = client.call("POST", "/order", &body); // it may be there all the same: this shows it, and makes no other
        }
        match placed["order"]["id"].as_str() {
            Some(id) => ids.push(id.to_string()),
            None => said.push(json!({ "clientOrderId": order["client_order_id"], "status": "REJECTED", "filledQuantity": "0" })),
        }
    }
    for id in ids.iter().filter(|_| cancels) {
        client.settled(id, "PENDING"); // a PENDING order is not cancelled yet
        client.call("DELETE", &format!("/order/{id}"), ""); // what it became, done or refused, shows below
    }
    let passing = if cancels { "PENDING OPEN" } else { "PENDING" }; // a cancel may take its time
    said.extend(ids.iter().map(|id| client.settled(id, passing)));
    println!("{}", json!({ "orders": said }));
}
