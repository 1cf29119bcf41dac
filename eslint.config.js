import js from "@eslint/js";
import tseslint from "typescript-eslint";

export default tseslint.config(
  { ignores: ["dist/", "node_modules/", "reports/", ".gradstand/", "coverage/", "**/*.cjs"] },
  js.configs.recommended,
  ...tseslint.configs.strict,
  {
    rules: {
      "@typescript-eslint/no-non-null-assertion": "off",
      "@typescript-eslint/consistent-type-imports": "error",
      "@typescript-eslint/no-invalid-void-type": "off",
      eqeqeq: "error",
      "no-console": "error",
      "prefer-const": ["error", { destructuring: "all" }],
    },
  },
);
