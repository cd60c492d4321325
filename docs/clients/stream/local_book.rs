//! The order book of one product: a snapshot, then every update that begins where the book stands.
use crate::gateway::{list, text, Fallible};
use serde_json::{json, Value};
use std::collections::BTreeMap;

/// Decimals compare by the number of digits before the point, and then as text: a float would not keep them exact. The gateway
/// writes a price always in the same way.
type Price = (usize, String);
type Side = BTreeMap<Price, Value>;

#[derive(Default)]
pub struct LocalBook {
    sequence: u64,
    bids: Side,
    asks: Side,
}

impl LocalBook {
    pub fn snapshot(&mut self, data: &Value) {
        *self = LocalBook::default();
        self.change(data);
    }

    /// Fails when there is a gap between the book and the update: then a new snapshot is needed.
    pub fn update(&mut self, data: &Value) -> Fallible<()> {
        if data["bookSequence"].as_u64() <= Some(self.sequence) {
            return Ok(()); // the snapshot has it
        }
        if data["prevBookSequence"] != self.sequence {
            return Err("the book has a gap".into());
        }
        self.change(data);
        Ok(())
    }

    /// Best first.
    pub fn levels(&self) -> Value {
        let (bids, asks): (Vec<_>, Vec<_>) = (self.bids.values().rev().collect(), self.asks.values().collect());
        json!({ "bookSequence": self.sequence, "bids": bids, "asks": asks })
    }

    fn change(&mut self, data: &Value) {
        self.sequence = data["bookSequence"].as_u64().unwrap_or_default();
        for (side, levels) in [(&mut self.bids, &data["bids"]), (&mut self.asks, &data["asks"])] {
            for level in list(levels) {
                let price = text(&level["price"]);
                let key = (price.find('.').unwrap_or(price.len()), price);
                if level["quantity"] == "0" {
                    side.remove(&key); // it is gone, or is no longer one of the best 100
                } else {
                    side.insert(key, level.clone()); // its quantity replaces the one before
                }
            }
        }
    }
}
