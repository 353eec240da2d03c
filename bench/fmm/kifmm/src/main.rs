//! Bodies by kifmm, bempp's kernel-independent fast multipole method in Rust: how long it takes, and how far its
//! results are from sums.
//!
//! usage: kifmm-peer N uniform|ellipse ORDER DEPTH TURNS
//!
//! DEPTH is of its uniform tree, whose empty cells are left out; the far field goes by FFT. Prints a line of JSON for
//! each turn, as peer.py does, and seconds without tree, lists and operators.
//!
//! BSD-3-Clause, the Banyan authors.

use green_kernels::{laplace_3d::Laplace3dKernel, types::GreenKernelEvalType};
use kifmm::traits::tree::{SingleFmmTree, SingleTree};
use kifmm::{DataAccess, Evaluate, FftFieldTranslation, SingleNodeBuilder};
use std::time::Instant;

const SAMPLE: usize = 200;

/// Uniform in [0, 1), the same everywhere (splitmix64)
fn uniform(state: &mut u64) -> f64 {
    *state = state.wrapping_add(0x9E3779B97F4A7C15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D049BB133111EB);
    ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
}

/// Body `i` of apps/fmm
fn body(i: usize, ellipse: bool) -> ([f64; 3], f64) {
    let mut state = (i as u64 + 1).wrapping_mul(0xD1342543DE82EF95);
    let place = if ellipse {
        let z = 2.0 * uniform(&mut state) - 1.0;
        let angle = 2.0 * std::f64::consts::PI * uniform(&mut state);
        let flat = (1.0 - z * z).sqrt();
        [flat * angle.cos(), flat * angle.sin(), 4.0 * z]
    } else {
        [uniform(&mut state), uniform(&mut state), uniform(&mut state)]
    };
    (place, uniform(&mut state))
}

/// Seconds that all threads of the process, also those that ended, took of processors
fn processor() -> f64 {
    let text = std::fs::read_to_string("/proc/self/stat").unwrap();
    let words: Vec<&str> = text[text.rfind(')').unwrap() + 2..].split(' ').collect();
    let ticks = words[11].parse::<f64>().unwrap() + words[12].parse::<f64>().unwrap();
    ticks / 100.0 // USER_HZ
}

/// Relative errors of potentials and gradients (2-norm) beside direct sums, of a sample
fn errors(places: &[f64], charges: &[f64], results: &[f64]) -> [f64; 2] {
    let (count, mut square, mut norm) = (charges.len(), [0.0; 2], [0.0; 2]);
    for i in (0..SAMPLE).map(|k| k * (count / SAMPLE)) {
        let mut right = [0.0; 4];
        for j in (0..count).filter(|&j| j != i) {
            let away = [0, 1, 2].map(|d| places[3 * i + d] - places[3 * j + d]);
            let r = away.iter().map(|a| a * a).sum::<f64>().sqrt();
            right[0] += charges[j] / r;
            for d in 0..3 {
                right[d + 1] -= charges[j] / (r * r * r) * away[d];
            }
        }
        for d in 0..4 {
            let found = 4.0 * std::f64::consts::PI * results[4 * i + d]; // its kernel is 1 / (4 pi r)
            square[(d > 0) as usize] += (found - right[d]).powi(2);
            norm[(d > 0) as usize] += right[d] * right[d];
        }
    }
    [0, 1].map(|k| f64::sqrt(square[k] / norm[k]))
}

fn main() {
    let words: Vec<String> = std::env::args().collect();
    let [_, count, distribution, order, depth, turns] = words.as_slice() else {
        eprintln!("usage: kifmm-peer N uniform|ellipse ORDER DEPTH TURNS");
        std::process::exit(2);
    };
    let (count, order): (usize, usize) = (count.parse().unwrap(), order.parse().unwrap());
    let (depth, turns): (u64, usize) = (depth.parse().unwrap(), turns.parse().unwrap());
    let mut places = vec![0.0; 3 * count];
    let mut charges = vec![0.0; count];
    for i in 0..count {
        let (place, charge) = body(i, distribution == "ellipse");
        places[3 * i..3 * i + 3].copy_from_slice(&place);
        charges[i] = charge;
    }
    for _ in 0..turns {
        let (begin, before) = (Instant::now(), processor());
        let mut fmm = SingleNodeBuilder::new(false)
            .tree(&places, &places, None, Some(depth), true)
            .unwrap()
            .parameters(
                &charges,
                &vec![order; depth as usize + 1],
                Laplace3dKernel::new(),
                GreenKernelEvalType::ValueDeriv,
                FftFieldTranslation::new(None),
            )
            .unwrap()
            .build()
            .unwrap();
        let built = begin.elapsed().as_secs_f64();
        fmm.evaluate().unwrap();
        let (seconds, took) = (begin.elapsed().as_secs_f64(), processor());
        let mut results = vec![0.0; 4 * count];
        let tree = fmm.tree().target_tree();
        for leaf in tree.all_leaves().unwrap() {
            let (Some(found), Some(which)) = (fmm.potential(leaf), tree.global_indices(leaf)) else {
                continue;
            };
            for (i, to) in which.iter().enumerate() {
                results[4 * to..4 * to + 4].copy_from_slice(&found[0][4 * i..4 * i + 4]);
            }
        }
        let [potentials, gradients] = errors(&places, &charges, &results);
        println!(
            "{{\"evaluation\": {}, \"seconds\": {seconds}, \"processor\": {}, \"errors\": [{potentials:e}, {gradients:e}]}}",
            seconds - built,
            took - before
        );
    }
}
