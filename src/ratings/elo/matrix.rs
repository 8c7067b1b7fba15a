//! Symmetric positive definite matrices: as much linear algebra as the fit needs.

/// Rows that are finished together.
const BAND: usize = 32;

/// A square matrix, row by row.
#[derive(Debug, Clone)]
pub(super) struct Matrix {
    n: usize,
    cells: Vec<f64>,
}

/// U with UᵀU = the matrix.
#[derive(Debug)]
pub(super) struct Cholesky(Matrix);

impl Matrix {
    pub(super) fn zero(n: usize) -> Self {
        Self { n, cells: vec![0.0; n * n] }
    }

    pub(super) fn row(&self, i: usize) -> &[f64] {
        &self.cells[i * self.n..(i + 1) * self.n]
    }

    pub(super) fn at(&mut self, i: usize, j: usize) -> &mut f64 {
        &mut self.cells[i * self.n + j]
    }

    pub(super) fn trace(&self) -> f64 {
        (0..self.n).map(|i| self.cells[i * self.n + i]).sum()
    }

    /// Adds `weight` · v vᵀ, for a v of which only these places are not zero.
    pub(super) fn add_outer(&mut self, v: &[(usize, f64)], weight: f64) {
        for &(i, a) in v {
            for &(j, b) in v {
                *self.at(i, j) += weight * a * b;
            }
        }
    }

    /// Multiplies the diagonal by `1 + damping` and adds `damping` to it.
    pub(super) fn damped(&self, damping: f64) -> Self {
        let mut damped = self.clone();
        for i in 0..self.n {
            let cell = damped.at(i, i);
            *cell += damping * (*cell + 1.0);
        }
        damped
    }

    /// `None` unless positive definite. Only the upper triangle is read.
    ///
    /// Rows are finished in bands that fit into the cache; then all rows below are
    /// brought up to date with a whole band at once.
    pub(super) fn cholesky(mut self) -> Option<Cholesky> {
        let n = self.n;
        for from in (0..n).step_by(BAND) {
            let to = (from + BAND).min(n);
            let (done, below) = self.cells.split_at_mut(to * n);
            let band = &mut done[from * n..];
            for k in from..to {
                let (above, row) = band.split_at_mut((k - from) * n);
                bring_up_to_date(&mut row[..n], k, above);
                let pivot = row[k].sqrt();
                if !(pivot > 0.0 && pivot.is_finite()) {
                    return None;
                }
                for cell in &mut row[k..n] {
                    *cell /= pivot;
                }
            }
            for (row, i) in below.chunks_exact_mut(n).zip(to..) {
                bring_up_to_date(row, i, band);
            }
        }
        Some(Cholesky(self))
    }

    /// xᵀ · self · x of several vectors at once.
    pub(super) fn quadratic<const L: usize>(&self, x: &[[f64; L]]) -> [f64; L] {
        let mut sums = [0.0; L];
        for (i, own) in x.iter().enumerate() {
            let mut products = [0.0; L];
            for (&cell, other) in self.row(i).iter().zip(x) {
                add(&mut products, cell, other);
            }
            for (sum, (product, own)) in sums.iter_mut().zip(products.iter().zip(own)) {
                *sum += product * own;
            }
        }
        sums
    }
}

impl Cholesky {
    /// Solves for several right sides at once.
    pub(super) fn solve<const L: usize>(&self, mut x: Vec<[f64; L]>) -> Vec<[f64; L]> {
        for k in 0..x.len() {
            let row = &self.0.row(k)[k..];
            x[k] = x[k].map(|cell| cell / row[0]);
            let (done, rest) = x[k..].split_at_mut(1);
            for (cell, &factor) in rest.iter_mut().zip(&row[1..]) {
                add(cell, -factor, &done[0]);
            }
        }
        for k in (0..x.len()).rev() {
            let row = &self.0.row(k)[k..];
            let (own, later) = x[k..].split_at_mut(1);
            for (&factor, cell) in row[1..].iter().zip(later) {
                add(&mut own[0], -factor, cell);
            }
            own[0] = own[0].map(|cell| cell / row[0]);
        }
        x
    }

    /// So many columns of the inverse, side by side, from one on.
    pub(super) fn inverse_columns<const L: usize>(&self, from: usize) -> Vec<[f64; L]> {
        let mut units = vec![[0.0; L]; self.0.n];
        for (lane, row) in units[from..].iter_mut().take(L).enumerate() {
            row[lane] = 1.0;
        }
        self.solve(units)
    }
}

/// Subtracts from row `i` what the finished rows of a band above it say.
fn bring_up_to_date(row: &mut [f64], i: usize, band: &[f64]) {
    let n = row.len();
    for done in band.chunks_exact(n) {
        let factor = done[i];
        if factor != 0.0 {
            for (cell, each) in row[i..].iter_mut().zip(&done[i..]) {
                *cell -= factor * each;
            }
        }
    }
}

fn add<const L: usize>(to: &mut [f64; L], factor: f64, what: &[f64; L]) {
    for (cell, each) in to.iter_mut().zip(what) {
        *cell += factor * each;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example(n: usize) -> Matrix {
        let mut matrix = Matrix::zero(n);
        for i in 0..n {
            matrix.add_outer(&[(i, 1.0), ((i * 3 + 1) % n, -0.5)], 1.0 + i as f64);
            *matrix.at(i, i) += 1.0;
        }
        matrix
    }

    #[test]
    fn a_solution_solves() {
        for n in [1, 9, 2 * BAND + 3] {
            let matrix = example(n);
            let right: Vec<_> = (0..n).map(|i| [i as f64, 1.0]).collect();
            let x = matrix.clone().cholesky().unwrap().solve(right.clone());
            for (i, wanted) in right.iter().enumerate() {
                for lane in 0..2 {
                    let cells = matrix.row(i).iter().zip(&x);
                    let seen: f64 = cells.map(|(cell, x)| cell * x[lane]).sum();
                    assert!((seen - wanted[lane]).abs() < 1e-9, "{n} {seen} {wanted:?}");
                }
            }
        }
    }

    #[test]
    fn columns_of_the_inverse_are_those_of_unit_vectors() {
        let root = example(7).cholesky().unwrap();
        let columns = root.inverse_columns::<4>(5);
        assert!((example(7).quadratic(&columns)[1] - columns[6][1]).abs() < 1e-12);
        assert!(columns.iter().all(|row| row[2..] == [0.0, 0.0]));
    }

    #[test]
    fn what_is_not_positive_definite_has_no_root() {
        let mut matrix = Matrix::zero(2);
        matrix.add_outer(&[(0, 1.0), (1, -1.0)], 1.0);
        assert!(matrix.cholesky().is_none());
        assert!(Matrix::zero(1).cholesky().is_none());
    }
}
