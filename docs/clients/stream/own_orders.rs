//! The orders of the key, from the stream and from answers.
use crate::gateway::{data, list, text, Fallible, Gateway};
use serde_json::Value;
use std::collections::{HashMap, HashSet};

/// By clientOrderId, because an event may come before the answer to `POST /order`, which tells the id. Each order has its
/// revision, which grows with every change, and only events tell it.
#[derive(Default)]
pub struct OwnOrders(HashMap<String, (Value, u64)>);

impl OwnOrders {
    pub fn event(&mut self, order: &Value, revision: u64) {
        let known = self.0.entry(text(&order["clientOrderId"])).or_default();
        if revision > known.1 {
            *known = (order.clone(), revision);
        }
    }

    /// Takes the open orders, and finds what has ended unseen since `complete_to`: orders that were open and are in the snapshot
    /// no more, and those that came and went.
    pub fn snapshot(&mut self, open: &[Value], complete_to: &str, gateway: &Gateway) -> Fallible<()> {
        open.iter().for_each(|order| self.answer(order));
        let open: HashSet<_> = open.iter().map(|order| text(&order["id"])).collect();
        let unfinished = self.0.values().filter(|(order, _)| order["status"] == "OPEN" || order["status"] == "PENDING");
        let ids: HashSet<_> = unfinished.map(|(order, _)| text(&order["id"])).collect();
        for id in ids.difference(&open) {
            self.answer(&data(gateway.signed(&format!("/order/{id}"))?)?);
        }
        let mut request = gateway.signed("/order")?;
        loop {
            let page = data(request.query("startTime", complete_to).query("sort", "ASC").query("limit", "100"))?;
            for order in list(&page["items"]) {
                if !self.0.contains_key(&text(&order["clientOrderId"])) {
                    self.answer(order);
                }
            }
            if page["pagination"]["hasNext"] != true {
                return Ok(());
            }
            request = gateway.signed("/order")?.query("cursor", &text(&page["pagination"]["nextCursor"]));
        }
    }

    pub fn all(&self) -> Value {
        self.0.values().map(|(order, _)| order.clone()).collect()
    }

    /// Takes an order that comes without a revision.
    fn answer(&mut self, order: &Value) {
        self.0.entry(text(&order["clientOrderId"])).or_default().0 = order.clone();
    }
}
