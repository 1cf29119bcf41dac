import { vjp } from "../../../src/autograd/index.js";
import { huberLoss, l1Loss, mseLoss } from "../../../src/nn/index.js";
import { constant, values } from "../../nn/oracle/values.js";
import { checkAgreement } from "../checks/agreement.js";
import { check, type Check } from "../row.js";

const losses = { mseLoss, l1Loss, huberLoss };

/** Level 8 of a loss of two tensors. */
export function regressionOracle(name: string): Check[] {
  const cases = values.regression.filter((given) => given.name === name);
  return [
    check("PyTorch 1.13, every reduction", () =>
      cases.map(({ name, reduction, options, prediction, target, loss, cotangent, gradients }) => {
        const run = vjp(
          (p, t) => losses[name](p!, t!, { reduction, ...options }),
          constant(prediction),
          constant(target),
        );
        const [dp, dt] = run.pullback(constant(cotangent));
        return checkAgreement("Oracle", 1e-12, [
          ["value", run.value, constant(loss)],
          ["gradient", dp!, constant(gradients["prediction"]!)],
          ["gradient", dt!, constant(gradients["target"]!)],
        ]);
      }),
    ),
  ];
}
