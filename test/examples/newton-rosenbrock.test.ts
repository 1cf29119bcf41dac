import fc from "fast-check";
import { expect, test } from "vitest";
import { descend, hessian, newton, rosenbrock } from "../../examples/newton-rosenbrock.js";
import { tensor } from "../../src/index.js";

const place = fc.double({ min: -2, max: 2, noNaN: true });

test("the gradient of the gradient is the Hessian: [[1200 x² − 400 y + 2, −400 x], [−400 x, 200]]", () => {
  fc.assert(
    fc.property(place, place, (x, y) => {
      const [[xx, xy], [yx, yy]] = hessian(tensor([x, y], { dtype: "float64" })) as [number[], number[]];
      expect(xx).toBeCloseTo(1200 * x * x - 400 * y + 2, 8);
      expect(xy).toBeCloseTo(-400 * x, 9);
      expect(yx).toBeCloseTo(-400 * x, 9);
      expect(yy).toBeCloseTo(200, 9);
    }),
  );
});

test("six steps of Newton's method reach the minimum, a thousand of descent do not", () => {
  const path = newton([-1.2, 1], 6);
  expect(Math.hypot(path[6]![0]! - 1, path[6]![1]! - 1)).toBeLessThan(1e-9);
  expect(rosenbrock(tensor(path[0]!, { dtype: "float64" })).item()).toBeCloseTo(24.2, 12);
  const [x, y] = descend([-1.2, 1], 1000, 0.001) as [number, number];
  expect(Math.hypot(x - 1, y - 1)).toBeGreaterThan(0.5);
});
