/** Says that an item needs its place no longer: the next one is started at once, while the rest of its work is done. */
export type Free = () => void;

/**
 * Works through a list with at most `limit` items under way, not counting those that have freed their place, and gives the
 * results in the order of the list. After a failure nothing new is started; the first failure is thrown once everything
 * under way has ended.
 */
export async function workThrough<Item, Result>(
  items: readonly Item[],
  limit: number,
  work: (item: Item, free: Free) => Promise<Result>,
  onFailure: () => void,
): Promise<Result[]> {
  const results = new Array<Result>(items.length);
  let next = 0;
  let failure: { readonly error: unknown } | undefined;

  const lanes: Promise<void>[] = [];
  const lane = async (): Promise<void> => {
    const place = { isFree: false };
    const free = (): void => {
      if (place.isFree) return;
      place.isFree = true;
      lanes.push(lane());
    };
    while (!place.isFree && failure === undefined && next < items.length) {
      const at = next++;
      try {
        results[at] = await work(items[at], free);
      } catch (error) {
        if (failure === undefined) {
          failure = { error };
          onFailure();
        }
      }
    }
  };

  for (let count = Math.min(limit, items.length); count > 0; count--) lanes.push(lane());
  for (let at = 0; at < lanes.length; at++) await lanes[at];
  if (failure !== undefined) throw (failure as { error: unknown }).error;
  return results;
}
