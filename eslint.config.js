import js from "@eslint/js";
import tseslint from "typescript-eslint";

export default tseslint.config(
  {
    ignores: [
      "**/assembly/",
      "**/wasm/",
      "dist/",
      "node_modules/",
      "reports/",
      ".gradstand/",
      "coverage/",
      "**/*.cjs",
    ],
  },
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
  {
    files: ["**/*.mjs"],
    languageOptions: {
      globals: {
        Buffer: "readonly",
        URL: "readonly",
        performance: "readonly",
        process: "readonly",
        WebAssembly: "readonly",
      },
    },
  },
  {
    files: ["examples/*.js"],
    languageOptions: { globals: { console: "readonly", process: "readonly" } },
    rules: { "no-console": "off" },
  },
);
