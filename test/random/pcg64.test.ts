import { describe, expect, it } from "vitest";
import { pcg64 } from "../../src/random/index.js";
import { seedSequence } from "../../src/random/seed-sequence.js";

describe("pcg64", () => {
  it("starts from NumPy's state for seed 0", () => {
    expect(pcg64(0).state).toEqual({
      state: 0x1aa1b5345996452d09585eb7a69561e3n,
      increment: 0x418ddadb3af71a82588133bc447873a9n,
    });
  });

  it("gives NumPy's first outputs for seed 0", () => {
    const bits = pcg64(0);
    expect([bits.next64(), bits.next64(), bits.next64(), bits.next64()]).toEqual([
      11749869230777074271n,
      4976686463289251617n,
      755828109848996024n,
      304881062738325533n,
    ]);
  });

  it.each([
    [1, 9441442522235856127n, 17532960557476522086n],
    [12345, 4193609425186963869n, 5843160025838961886n],
    [2 ** 32, 16412783775159424549n, 10277383025879800780n],
    [Number.MAX_SAFE_INTEGER, 14504086537174452373n, 11184320671718615185n],
    [2n ** 64n + 5n, 13699624189639919438n, 7212933818401888033n],
    [2n ** 200n + 123n, 5836161817369838545n, 9211740323321609107n],
  ])("gives NumPy's first outputs for seed %s", (seed, first, second) => {
    const bits = pcg64(seed);
    expect([bits.next64(), bits.next64()]).toEqual([first, second]);
  });

  it("turns the folded state by each number of bits as whole numbers do", () => {
    const bits = pcg64(3);
    const mask = (1n << 64n) - 1n;
    const turns = new Set<bigint>();
    for (let draw = 0; draw < 600; draw++) {
      const drawn = bits.next64();
      const { state } = bits.state;
      const [folded, turn] = [(state >> 64n) ^ (state & mask), state >> 122n];
      turns.add(turn);
      expect(drawn).toBe(((folded >> turn) | (folded << (64n - turn))) & mask);
    }
    expect(turns.size).toBe(64);
  });

  it("splits 64 bits into halves, the low one first, across calls", () => {
    const bits = pcg64(0);
    const low = bits.next32();
    expect((BigInt(bits.next32()) << 32n) | BigInt(low)).toBe(11749869230777074271n);
    bits.next32();
    expect(bits.next64()).toBe(755828109848996024n);
    expect(BigInt(bits.next32())).toBe(4976686463289251617n >> 32n);
  });

  it("gives what integers(0, 2) gives", () => {
    expect([...pcg64(0).integers01(24)].join("")).toBe("111000000111111111110110");
    const bits = pcg64(7);
    expect([...bits.integers01(15), ...bits.integers01(25)].join("")).toBe(
      "1111111000011001010010001010011111111101",
    );
  });

  it("refuses seeds and counts that NumPy refuses", () => {
    for (const seed of [-1, 0.5, NaN, -1n]) expect(() => pcg64(seed)).toThrow("E_VALUE");
    expect(() => pcg64(0).integers01(-1)).toThrow("E_VALUE");
  });
});

describe("seedSequence", () => {
  it("gives NumPy's words, also for entropy longer than the pool", () => {
    expect([...seedSequence(0n, 4)]).toEqual([0xb0f478be, 0xdb2cd7e7, 0x2c71ba49, 0xabf4641a]);
    expect([...seedSequence(2n ** 200n + 123n, 6)]).toEqual([
      0x9c46ea74, 0xa40c53a9, 0x11aa18a2, 0xe3f360e1, 0xd2aadee8, 0x99136576,
    ]);
  });
});
