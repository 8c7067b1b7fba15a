//! Symmetric matrices, with the linear algebra that the fit needs.
//!
//! Everything that costs n³ uses one sum, [`weighted_sum`], over sixteen columns at a time, which
//! stay in registers. Rows are read in memory order.

/// Number of columns computed in parallel.
const LANES: usize = 16;

type Lanes = [f64; LANES];

/// Square matrix, row by row.
#[derive(Debug, Clone)]
pub(super) struct Matrix {
    n: usize,
    cells: Vec<f64>,
}

/// Cholesky factor U with UᵀU = the matrix; Uᵀ is stored in the lower triangle.
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
        (0..self.n).map(|i| self.row(i)[i]).sum()
    }

    /// Adds `weight` · v vᵀ to the upper triangle, for a v that is nonzero only at these indexes,
    /// given in rising order.
    pub(super) fn add_outer(&mut self, v: &[(usize, f64)], weight: f64) {
        for (from, &(i, a)) in v.iter().enumerate() {
            for &(j, b) in &v[from..] {
                *self.at(i, j) += weight * a * b;
            }
        }
    }

    /// Adds another matrix.
    pub(super) fn plus(mut self, other: &Self) -> Self {
        self.cells.iter_mut().zip(&other.cells).for_each(|(cell, more)| *cell += more);
        self
    }

    /// Mirrors the upper triangle into the lower one.
    pub(super) fn mirrored(mut self) -> Self {
        for i in 0..self.n {
            for j in 0..i {
                *self.at(i, j) = self.row(j)[i];
            }
        }
        self
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

    /// Makes a covariance matrix relative to the mean of the parameters `reference`, which are some
    /// of `group`: that mean has no variance afterwards. The whole matrix is read and written.
    pub(super) fn centre(&mut self, group: &[usize], reference: &[usize]) {
        let share = 1.0 / reference.len() as f64;
        for i in 0..self.n {
            let row = &mut self.cells[i * self.n..(i + 1) * self.n];
            let mean = reference.iter().map(|&j| row[j]).sum::<f64>() * share;
            for &j in group {
                row[j] -= mean;
            }
        }
        let mut means = vec![0.0; self.n];
        for &i in reference {
            means.iter_mut().zip(self.row(i)).for_each(|(mean, cell)| *mean += cell * share);
        }
        for &i in group {
            let row = &mut self.cells[i * self.n..(i + 1) * self.n];
            row.iter_mut().zip(&means).for_each(|(cell, mean)| *cell -= mean);
        }
    }

    /// Product of self and other.
    pub(super) fn times(&self, other: &Self) -> Self {
        let mut product = Self::zero(self.n);
        for from in (0..self.n).step_by(LANES) {
            let columns = other.columns(0..self.n, from);
            for i in 0..self.n {
                let cells = weighted_sum(self.row(i), &columns);
                let to = (from + LANES).min(self.n);
                product.cells[i * self.n + from..i * self.n + to]
                    .copy_from_slice(&cells[..to - from]);
            }
        }
        product
    }

    /// Entry in row `i` and column `j` of self · other, for a symmetric `other`.
    pub(super) fn cell_of_product(&self, other: &Self, i: usize, j: usize) -> f64 {
        dot(self.row(i), other.row(j))
    }

    /// `None` unless positive definite. Only the upper triangle is read.
    pub(super) fn cholesky(mut self) -> Option<Cholesky> {
        let n = self.n;
        for from in (0..n).step_by(LANES) {
            let done = self.columns(0..from, from);
            let to = (from + LANES).min(n);
            for i in from..n {
                let mut cells = weighted_sum(&self.row(i)[..from], &done);
                for (cell, j) in cells.iter_mut().zip(from..to.min(i + 1)) {
                    *cell = self.row(j)[i] - *cell;
                }
                self.finish_row(i, from, &cells[..to.min(i + 1) - from])?;
            }
        }
        Some(Cholesky(self))
    }

    /// Row `i` of the root's lower triangle in the columns from `from` on, from the remainders of
    /// the columns before them.
    fn finish_row(&mut self, i: usize, from: usize, left: &[f64]) -> Option<()> {
        for (j, left) in (from..).zip(left) {
            let rest = left - dot(&self.row(i)[from..j], &self.row(j)[from..j]);
            let cell = if i == j { rest.sqrt() } else { rest / self.row(j)[j] };
            if i == j && !(cell > 0.0 && cell.is_finite()) {
                return None;
            }
            *self.at(i, j) = cell;
            *self.at(j, i) = cell;
        }
        Some(())
    }

    /// Rows of sixteen columns from `from` on, with zeros beyond the last.
    fn columns(&self, rows: std::ops::Range<usize>, from: usize) -> Vec<Lanes> {
        let to = (from + LANES).min(self.n);
        let lanes = |i| {
            let mut lanes = [0.0; LANES];
            lanes[..to - from].copy_from_slice(&self.row(i)[from..to]);
            lanes
        };
        rows.map(lanes).collect()
    }

    /// Sets sixteen cells of a row, and their mirror images.
    fn set_both(&mut self, i: usize, from: usize, cells: Lanes) {
        for (j, cell) in (from..self.n).zip(cells) {
            *self.at(i, j) = cell;
            *self.at(j, i) = cell;
        }
    }
}

impl Cholesky {
    /// Logarithm of the determinant of the original matrix.
    pub(super) fn log_determinant(&self) -> f64 {
        2.0 * (0..self.0.n).map(|i| self.0.row(i)[i].ln()).sum::<f64>()
    }

    pub(super) fn solve(&self, mut x: Vec<f64>) -> Vec<f64> {
        for k in 0..x.len() {
            let row = self.0.row(k);
            x[k] = (x[k] - dot(&row[..k], &x[..k])) / row[k];
        }
        for k in (0..x.len()).rev() {
            let row = self.0.row(k);
            x[k] = (x[k] - dot(&row[k + 1..], &x[k + 1..])) / row[k];
        }
        x
    }

    /// Inverse of the original matrix.
    pub(super) fn inverse(&self) -> Matrix {
        let n = self.0.n;
        let mut inverse = Matrix::zero(n);
        for from in (0..n).step_by(LANES) {
            for (i, cells) in (from..n).zip(self.inverse_columns(from)) {
                inverse.set_both(i, from, cells);
            }
        }
        inverse
    }

    /// Sixteen columns of the inverse from `from` on, from row `from` on.
    fn inverse_columns(&self, from: usize) -> Vec<Lanes> {
        let n = self.0.n;
        let mut x = vec![[0.0; LANES]; n - from];
        for (lane, row) in x.iter_mut().take(LANES).enumerate() {
            row[lane] = 1.0;
        }
        let update = |x: &mut Lanes, sum: Lanes, pivot: f64| {
            for (x, sum) in x.iter_mut().zip(sum) {
                *x = (*x - sum) / pivot;
            }
        };
        for k in 0..n - from {
            let row = &self.0.row(from + k)[from..];
            let sum = weighted_sum(&row[..k], &x[..k]);
            update(&mut x[k], sum, row[k]);
        }
        for k in (0..n - from).rev() {
            let row = &self.0.row(from + k)[from..];
            let sum = weighted_sum(&row[k + 1..], &x[k + 1..]);
            update(&mut x[k], sum, row[k]);
        }
        x
    }
}

/// The sum of the rows, each times its weight.
fn weighted_sum(weights: &[f64], rows: &[Lanes]) -> Lanes {
    let mut sums = [0.0; LANES];
    for (weight, row) in weights.iter().zip(rows) {
        for (sum, cell) in sums.iter_mut().zip(row) {
            *sum += weight * cell;
        }
    }
    sums
}

/// The sum of the products, in four independent parts for instruction-level parallelism.
pub(super) fn dot(a: &[f64], b: &[f64]) -> f64 {
    let mut sums = [0.0; 4];
    let (a, b) = (a.chunks(4), b.chunks(4));
    for (a, b) in a.zip(b) {
        for (sum, (a, b)) in sums.iter_mut().zip(a.iter().zip(b)) {
            *sum += a * b;
        }
    }
    sums.iter().sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example(n: usize) -> Matrix {
        let mut matrix = Matrix::zero(n);
        for i in 0..n {
            let other = (i * 3 + 1) % n;
            let mut v = [(i, 1.0), (other, -0.5)];
            v.sort_by_key(|&(place, _)| place);
            matrix.add_outer(if i == other { &v[..1] } else { &v }, 1.0 + i as f64);
            *matrix.at(i, i) += 1.0;
        }
        matrix
    }

    const SIZES: [usize; 4] = [1, 9, LANES, 2 * LANES + 3];

    #[test]
    fn a_solution_solves() {
        for n in SIZES {
            let right: Vec<_> = (0..n).map(|i| i as f64).collect();
            let x = example(n).cholesky().unwrap().solve(right.clone());
            let matrix = example(n).mirrored();
            for (i, wanted) in right.iter().enumerate() {
                let seen: f64 = matrix.row(i).iter().zip(&x).map(|(cell, x)| cell * x).sum();
                assert!((seen - wanted).abs() < 1e-9, "{n} {i} {seen}");
            }
        }
    }

    #[test]
    fn the_inverse_is_made_of_solutions() {
        for n in SIZES {
            let root = example(n).cholesky().unwrap();
            let inverse = root.inverse();
            for i in 0..n {
                let unit = (0..n).map(|j| f64::from(i == j)).collect();
                let column = root.solve(unit);
                let pairs = inverse.row(i).iter().zip(&column);
                assert!(pairs.clone().all(|(a, b)| (a - b).abs() < 1e-12), "{n} {i}");
            }
        }
    }

    #[test]
    fn a_matrix_around_its_inverse_is_itself() {
        for n in SIZES {
            let inverse = example(n).cholesky().unwrap().inverse();
            let matrix = example(n).mirrored();
            let left = matrix.times(&inverse);
            for (i, j) in (0..n).flat_map(|i| (0..n).map(move |j| (i, j))) {
                let again = left.cell_of_product(&matrix, i, j);
                assert!((again - matrix.row(i)[j]).abs() < 1e-9, "{n}: {i} {j}");
            }
        }
    }

    #[test]
    fn what_is_not_positive_definite_has_no_root() {
        let mut matrix = Matrix::zero(2);
        matrix.add_outer(&[(0, 1.0), (1, -1.0)], 1.0);
        assert!(matrix.cholesky().is_none());
        assert!(Matrix::zero(1).cholesky().is_none());
    }
}
