/** A Gaussian blob of a density over the plane of velocities: weight × the normal density around (v1, v2). */
export interface Blob {
  weight: number;
  v1: number;
  v2: number;
  /** Of each of the two components, which are independent of each other. */
  variance: number;
}

/** What a mixture of blobs does from one frame to the next. */
export interface BlobLaw {
  /** tan(θ/2) of the angle θ by which everything turns around the origin, in radians a frame, from v1 towards v2. */
  readonly halfTurn: number;
  /** e^−ν: what a frame of collisions leaves of a blob's distance from the mean velocity; 0 < retention ≤ 1. */
  readonly retention: number;
}

/** The four moments of a density over velocities: Σ f, Σ f v1, Σ f v2, Σ f (v1² + v2²). */
export interface Moments {
  readonly mass: number;
  readonly momentum1: number;
  readonly momentum2: number;
  readonly energy: number;
}

/** The moments of a mixture of blobs over the whole plane: energy is Σ w (2 s + v1² + v2²). */
export function blobMoments(blobs: readonly Blob[]): Moments {
  const sum = (of: (blob: Blob) => number): number =>
    blobs.reduce((total, blob) => total + blob.weight * of(blob), 0);
  return {
    mass: sum(() => 1),
    momentum1: sum(({ v1 }) => v1),
    momentum2: sum(({ v2 }) => v2),
    energy: sum(({ v1, v2, variance }) => 2 * variance + v1 * v1 + v2 * v2),
  };
}

/**
 * Advances a mixture by one frame, in place: charged particles in a magnetic field that collide with each other. With the
 * mean velocity u, the temperature T = (energy/mass − |u|²)/2 and the collision rate ν, the density obeys
 *
 *     ∂f/∂t = −ω (v1 ∂f/∂v2 − v2 ∂f/∂v1) + ν ∇·((v − u) f + T ∇f)
 *
 * (the collisions of Lenard and Bernstein, Phys. Rev. 112 (1958) 1456, in the conserving form of Dougherty, Phys. Fluids 7
 * (1964) 1788). A Gaussian stays a Gaussian, so that a frame is exact: with R the rotation by θ,
 *
 *     u ← R u,   m − u ← e^−ν R (m − u),   s ← T + (s − T) e^−2ν,
 *
 * which moves and spreads each blob (m, s) and conserves mass and energy; the momentum turns with R, and keeps its length.
 */
export function advanceBlobs(blobs: readonly Blob[], { halfTurn, retention }: BlobLaw): void {
  const { mass, momentum1, momentum2, energy } = blobMoments(blobs);
  const [u1, u2] = [momentum1 / mass, momentum2 / mass];
  const temperature = (energy / mass - u1 * u1 - u2 * u2) / 2;
  const square = halfTurn * halfTurn;
  const cosine = (1 - square) / (1 + square);
  const sine = (2 * halfTurn) / (1 + square);
  for (const blob of blobs) {
    const a = u1 + retention * (blob.v1 - u1);
    const b = u2 + retention * (blob.v2 - u2);
    blob.v1 = cosine * a - sine * b;
    blob.v2 = sine * a + cosine * b;
    blob.variance = temperature + (blob.variance - temperature) * retention * retention;
  }
}
