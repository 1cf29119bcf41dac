/** The largest moment residual allowed, |⟨E_k, C(H) − H⟩| measured in float64 on float32 states. */
export const momentTolerance = 5e-7;

/** The largest gap allowed in the identity on the error, relative to ‖H‖², on float32 states. */
export const errorTolerance = 1e-6;

/** A control is refuted when it misses the tolerance by this factor: well beyond any rounding. */
export const controlMargin = 1000;
