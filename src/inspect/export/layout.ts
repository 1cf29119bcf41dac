/** A box to be placed. */
export interface Box {
  readonly key: string;
  readonly width: number;
  readonly height: number;
}

/** Where things of a drawing are. */
export interface Layout {
  readonly width: number;
  readonly height: number;
  /** The upper left corner of each box. */
  readonly places: ReadonlyMap<string, { readonly x: number; readonly y: number }>;
  /** For each edge, in order, the points that it goes through. */
  readonly paths: readonly (readonly (readonly [x: number, y: number])[])[];
}

interface Item {
  readonly width: number;
  readonly height: number;
  readonly layer: number;
  /** The middle. */
  x: number;
  above: Item[];
  below: Item[];
}

const gap = 24;
const layerGap = 36;
const passing = 8;

/**
 * A layered drawing of an acyclic graph (Sugiyama, Tagawa and Toda 1981): each box below all that lead to it, boxes of a layer in
 * the order of the mean of their neighbours, and as near to them as their widths allow. Boxes never overlap. An edge over
 * several layers keeps a place of its own in each. Edges must lead from earlier boxes of the list to later ones.
 */
export function layered(boxes: readonly Box[], edges: readonly { from: string; to: string }[]): Layout {
  const layerOf = new Map<string, number>(boxes.map(({ key }) => [key, 0]));
  const incoming = new Map<string, string[]>();
  for (const { from, to } of edges) incoming.set(to, [...(incoming.get(to) ?? []), from]);
  for (const { key } of boxes)
    for (const from of incoming.get(key) ?? [])
      layerOf.set(key, Math.max(layerOf.get(key)!, layerOf.get(from)! + 1));
  const outgoing = new Map<string, string[]>();
  for (const { from, to } of edges) outgoing.set(from, [...(outgoing.get(from) ?? []), to]);
  // What nothing but leaves lead to stands right above what it is for, and so do the leaves.
  const isSource = (key: string): boolean => !incoming.has(key);
  for (const { key } of boxes.toReversed()) {
    const below = outgoing.get(key);
    if (below && (incoming.get(key) ?? []).every(isSource))
      layerOf.set(key, Math.min(...below.map((to) => layerOf.get(to)!)) - 1);
  }

  const layers: Item[][] = [];
  const put = (width: number, height: number, layer: number): Item => {
    const item: Item = { width, height, layer, x: 0, above: [], below: [] };
    (layers[layer] ??= []).push(item);
    return item;
  };
  const items = new Map(boxes.map(({ key, width, height }) => [key, put(width, height, layerOf.get(key)!)]));
  const join = (upper: Item, lower: Item): void => {
    upper.below.push(lower);
    lower.above.push(upper);
  };
  const chains = edges.map(({ from, to }) => {
    const chain = [items.get(from)!];
    const end = items.get(to)!;
    for (let layer = chain[0]!.layer + 1; layer < end.layer; layer++) chain.push(put(passing, 0, layer));
    chain.push(end);
    chain.slice(1).forEach((item, i) => join(chain[i]!, item));
    return chain;
  });
  for (let layer = 0; layer < layers.length; layer++) layers[layer] ??= [];
  order(layers);
  const left = Math.min(...layers.flat().map(({ x, width }) => x - width / 2), 0);
  const tops: number[] = [];
  let top = gap;
  for (const layer of layers) {
    tops.push(top);
    top += Math.max(...layer.map(({ height }) => height), 0) + layerGap;
  }
  const shift = gap - left;
  const right = Math.max(...layers.flat().map(({ x, width }) => x + width / 2), 0);
  const point = (item: Item, end: "top" | "bottom"): readonly [number, number] => [
    item.x + shift,
    tops[item.layer]! + (end === "bottom" ? item.height : 0),
  ];
  return {
    width: right + shift + gap,
    height: top,
    places: new Map(
      [...items].map(([key, item]) => [key, { x: item.x + shift - item.width / 2, y: tops[item.layer]! }]),
    ),
    paths: chains.map((chain) => chain.map((item, i) => point(item, i === 0 ? "bottom" : "top"))),
  };
}

/** Sweeps down and up: sorts each layer by the mean of its neighbours, then moves each item as near to it as its neighbours allow. */
function order(layers: Item[][]): void {
  for (const layer of layers) pack(layer, () => 0);
  for (let sweep = 0; sweep < 8; sweep++) {
    const down = sweep % 2 === 0;
    for (const layer of down ? layers : layers.toReversed()) {
      const wanted = (item: Item): number => {
        const near = down ? item.above : item.below;
        return near.length === 0 ? item.x : near.reduce((sum, { x }) => sum + x, 0) / near.length;
      };
      const aims = new Map(layer.map((item) => [item, wanted(item)]));
      layer.sort((a, b) => aims.get(a)! - aims.get(b)!);
      pack(layer, (item) => aims.get(item)!);
    }
  }
}

/**
 * Places the items of a layer in their order, none overlapping, with the least sum of squared distances from their aims: items that
 * would overlap join into blocks, each at the mean of what its items aim at (pool adjacent violators).
 */
function pack(layer: readonly Item[], aim: (item: Item) => number): void {
  const blocks: { items: Item[]; sum: number; width: number }[] = [];
  const start = ({ items, sum }: { items: Item[]; sum: number }): number => sum / items.length;
  for (const item of layer) {
    let block = { items: [item], sum: aim(item) - item.width / 2, width: item.width + gap };
    for (
      let before = blocks.at(-1);
      before && start(before) + before.width > start(block);
      before = blocks.at(-1)
    ) {
      blocks.pop();
      const { width } = before;
      block = {
        items: [...before.items, ...block.items],
        sum: before.sum + block.sum - width * block.items.length,
        width: width + block.width,
      };
    }
    blocks.push(block);
  }
  for (const block of blocks) {
    let x = start(block);
    for (const item of block.items) {
      item.x = x + item.width / 2;
      x += item.width + gap;
    }
  }
}
