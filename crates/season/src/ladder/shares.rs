//! Fair shares of a resource: the owner that was served least is next.
//!
//! Each account counts what its owner has used. Idle or new owners get no credit: their accounts
//! are raised to the minimum of those that had work meanwhile.

/// Accounts of numbered owners.
#[derive(Debug, Clone, Default)]
pub(super) struct Accounts {
    used: Vec<f64>,
    /// Owners that had work at the last choice.
    waiting: Vec<bool>,
    /// Least account among those that had work.
    floor: f64,
}

impl Accounts {
    /// Adds an owner with the next number.
    pub(super) fn add(&mut self) {
        self.used.push(self.floor);
        self.waiting.push(false);
    }

    /// Amount used by an owner.
    pub(super) fn used(&self, owner: usize) -> f64 {
        self.used[owner]
    }

    /// Charges an amount to an owner. A negative amount is a refund.
    pub(super) fn charge(&mut self, owner: usize, amount: f64) {
        self.used[owner] += amount;
    }

    /// Updates which owners have work. Call it before [`Self::least`].
    pub(super) fn update(&mut self, has_work: impl Fn(usize) -> bool) {
        let waiting: Vec<bool> = (0..self.used.len()).map(has_work).collect();
        let before = self.used.iter().zip(&self.waiting).filter(|(_, waited)| **waited);
        let least = before.map(|(used, _)| *used).fold(f64::INFINITY, f64::min);
        if least.is_finite() {
            self.floor = self.floor.max(least);
        }
        for ((used, before), now) in self.used.iter_mut().zip(&self.waiting).zip(&waiting) {
            if *now && !before {
                *used = used.max(self.floor);
            }
        }
        self.waiting = waiting;
    }

    /// Owner among these that has used least; the first of several.
    pub(super) fn least(&self, owners: impl IntoIterator<Item = usize>) -> Option<usize> {
        owners.into_iter().min_by(|&a, &b| self.used[a].total_cmp(&self.used[b]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everybody_gets_the_same_and_nobody_gets_credit_for_resting() {
        let mut accounts = Accounts::default();
        (0..3).for_each(|_| accounts.add());
        let mut served = [0; 3];
        for turn in 0..300 {
            // The last owner has no work at first.
            let has_work = |owner| owner < 2 || turn >= 200;
            accounts.update(has_work);
            let owner = accounts.least((0..3).filter(|&owner| has_work(owner))).expect("work");
            served[owner] += 1;
            accounts.charge(owner, 1.0);
        }
        assert_eq!(served.iter().sum::<i32>(), 300);
        assert!((132..136).contains(&served[0]) && (32..36).contains(&served[2]), "{served:?}");
    }

    #[test]
    fn who_comes_later_starts_where_the_others_are() {
        let mut accounts = Accounts::default();
        accounts.add();
        for _ in 0..10 {
            accounts.update(|_| true);
            accounts.charge(0, 2.5);
        }
        accounts.update(|_| true);
        accounts.add();
        assert!((accounts.used(1) - 25.0).abs() < 1e-12);
        assert_eq!(accounts.least([]), None);
    }
}
