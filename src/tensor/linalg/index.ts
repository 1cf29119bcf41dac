export { cholesky } from "./cholesky.js";
export { jacobiSingularValues, jacobiSvd, type Svd } from "./jacobi-svd.js";
export { solveTriangular, type TriangularOptions } from "./solve-triangular.js";
