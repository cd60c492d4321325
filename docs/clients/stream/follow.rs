//! Follows the book of a product and the orders of a key: the tasks follow and book of docs/exam.md, by the rules of README.md.
//! At any doubt (a gap, silence, an error) it drops the connection and opens another, whose snapshots mend everything.
//! `cargo new follow`, this file as src/main.rs with the others beside it, and what the standard library does not have:
//! `cargo add ureq@2 hmac@0.12 sha2@0.10 serde_json; cargo add uuid --features v4`.
mod gateway;
mod local_book;
mod own_orders;
mod rfc6455;
use gateway::{give_up, list, text, Fallible, Gateway};
use local_book::LocalBook;
use own_orders::OwnOrders;
use rfc6455::Socket;
use serde_json::{json, Value};
use std::{env::var, fs, thread, time::Duration, time::Instant};
use uuid::Uuid;

const FIRST_PAUSE: f64 = 0.1;
const LONGEST_PAUSE: f64 = 5.0;

struct Follower {
    gateway: Gateway,
    product: String,
    end: Instant,
    book: LocalBook,
    orders: OwnOrders,
    complete_to: Option<String>, // no order is missing until this time of the gateway
    pause: f64,                  // before the next session
}

impl Follower {
    /// One connection, until the end or an error.
    fn session(&mut self) -> Fallible<()> {
        let mut socket = Socket::connect(&self.gateway.signed("/ws")?)?;
        socket.send(json!({ "type": "subscribe", "channels": ["heartbeat", "orders"] }))?;
        socket.send(json!({ "type": "subscribe", "channel": "orderBook", "products": [self.product] }))?;
        let (mut received, mut has_book, mut has_orders, mut open) = (0, false, false, vec![]);
        while !has_book || !has_orders || Instant::now() < self.end {
            let message = socket.receive()?;
            match message["sequence"].as_u64() {
                Some(sequence) if sequence <= received => continue, // it came twice
                Some(sequence) if sequence == received + 1 => received = sequence,
                _ => return Err("a message is missing".into()),
            }
            let complete_to = self.complete_to.get_or_insert_with(|| text(&message["timestamp"]));
            let data = &message["data"];
            match (message["channel"].as_str().unwrap_or_default(), message["type"].as_str().unwrap_or_default()) {
                ("orderBook", "snapshot") => {
                    self.book.snapshot(data);
                    has_book = true;
                }
                ("orderBook", "update") => self.book.update(data)?,
                ("orders", "snapshot") => {
                    open.extend(list(&data["orders"]).cloned());
                    if data["final"] == true {
                        self.orders.snapshot(&open, complete_to, &self.gateway)?;
                        (has_orders, self.pause) = (true, FIRST_PAUSE);
                    }
                }
                ("orders", "update") => self.orders.event(&data["order"], data["revision"].as_u64().unwrap_or_default()),
                (_, "error") => return Err(message.to_string().into()),
                _ => {}
            }
            if has_orders {
                *complete_to = text(&message["timestamp"]);
            }
        }
        Ok(())
    }
}

fn setting(name: &str) -> String {
    var(format!("GATEWRIGHT_{name}")).unwrap_or_else(|_| give_up(&format!("GATEWRIGHT_{name} is not set")))
}

fn main() {
    let task = fs::read_to_string(setting("TASK")).expect("the task can be read");
    let task: Value = serde_json::from_str(&task).expect("the task is JSON");
    let end = Instant::now() + Duration::from_secs_f64(task["seconds"].as_f64().expect("the seconds"));
    let http = ureq::AgentBuilder::new().timeout(Duration::from_secs(10)).redirects(0).max_idle_connections(0).build();
    let mut follower = Follower {
        gateway: Gateway { base: setting("BASE_URL"), key: setting("KEY_ID"), secret: setting("SECRET"), http },
        product: task["product"].as_str().unwrap_or("BTC-USD").to_string(),
        end,
        book: LocalBook::default(),
        orders: OwnOrders::default(),
        complete_to: None,
        pause: FIRST_PAUSE,
    };
    thread::spawn(move || {
        thread::sleep(end + Duration::from_secs(20) - Instant::now());
        give_up("still in the middle of a recovery");
    });
    while let Err(doubt) = follower.session() {
        eprintln!("disconnected: {doubt}");
        let chance = f64::from(Uuid::new_v4().as_bytes()[0]) / 512.0; // not all clients at once
        thread::sleep(Duration::from_secs_f64(follower.pause * (0.5 + chance)));
        follower.pause = LONGEST_PAUSE.min(2.0 * follower.pause);
    }
    if task["task"] == "book" {
        println!("{}", json!({ "book": follower.book.levels() }));
    } else {
        println!("{}", json!({ "orders": follower.orders.all() }));
    }
}
