export { cholesky } from "./cholesky.js";
export { jacobiSvd, type Svd } from "./jacobi-svd.js";
export { solveTriangular, type TriangularOptions } from "./solve-triangular.js";
