//! Symmetric positive definite matrices: as much linear algebra as the fit needs.

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
    pub(super) fn cholesky(mut self) -> Option<Cholesky> {
        let n = self.n;
        for k in 0..n {
            let (done, rest) = self.cells.split_at_mut((k + 1) * n);
            let row = &mut done[k * n + k..];
            let pivot = row[0].sqrt();
            if !(pivot > 0.0 && pivot.is_finite()) {
                return None;
            }
            for cell in &mut *row {
                *cell /= pivot;
            }
            for (i, below) in rest.chunks_exact_mut(n).enumerate() {
                let factor = row[i + 1];
                if factor != 0.0 {
                    subtract(&mut below[k + 1 + i..], factor, &row[i + 1..]);
                }
            }
        }
        Some(Cholesky(self))
    }

    /// The product with a vector.
    fn times(&self, v: &[f64]) -> Vec<f64> {
        (0..self.n).map(|i| dot(self.row(i), v)).collect()
    }

    /// xᵀ · self · x.
    pub(super) fn quadratic(&self, x: &[f64]) -> f64 {
        dot(&self.times(x), x)
    }
}

impl Cholesky {
    /// Solves for a right side.
    pub(super) fn solve(&self, right: &[f64]) -> Vec<f64> {
        let mut x = right.to_vec();
        for k in 0..x.len() {
            let row = &self.0.row(k)[k..];
            x[k] /= row[0];
            let factor = x[k];
            if factor != 0.0 {
                subtract(&mut x[k + 1..], factor, &row[1..]);
            }
        }
        for k in (0..x.len()).rev() {
            let row = &self.0.row(k)[k..];
            x[k] = (x[k] - dot(&row[1..], &x[k + 1..])) / row[0];
        }
        x
    }

    /// Column `i` of the inverse.
    pub(super) fn inverse_column(&self, i: usize) -> Vec<f64> {
        let mut unit = vec![0.0; self.0.n];
        unit[i] = 1.0;
        self.solve(&unit)
    }
}

fn subtract(from: &mut [f64], factor: f64, row: &[f64]) {
    for (cell, each) in from.iter_mut().zip(row) {
        *cell -= factor * each;
    }
}

/// In four sums, so that the machine can add them side by side.
fn dot(a: &[f64], b: &[f64]) -> f64 {
    let (a4, b4) = (a.chunks_exact(4), b.chunks_exact(4));
    let tail: f64 = a4.remainder().iter().zip(b4.remainder()).map(|(x, y)| x * y).sum();
    let mut sums = [0.0; 4];
    for (x, y) in a4.zip(b4) {
        for lane in 0..4 {
            sums[lane] += x[lane] * y[lane];
        }
    }
    sums.iter().sum::<f64>() + tail
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
        let matrix = example(9);
        let right: Vec<f64> = (0..9).map(f64::from).collect();
        let x = matrix.clone().cholesky().unwrap().solve(&right);
        for (seen, wanted) in matrix.times(&x).iter().zip(&right) {
            assert!((seen - wanted).abs() < 1e-12);
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
