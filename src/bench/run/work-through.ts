/**
 * Works through a list with at most `limit` items under way, and gives the results in the order of the list. After
 * a failure nothing new is started; the first failure is thrown once everything under way has ended.
 */
export async function workThrough<Item, Result>(
  items: readonly Item[],
  limit: number,
  work: (item: Item) => Promise<Result>,
  onFailure: () => void,
): Promise<Result[]> {
  const results = new Array<Result>(items.length);
  let next = 0;
  let failure: { readonly error: unknown } | undefined;

  const lane = async (): Promise<void> => {
    while (failure === undefined && next < items.length) {
      const at = next++;
      try {
        results[at] = await work(items[at]);
      } catch (error) {
        if (failure === undefined) {
          failure = { error };
          onFailure();
        }
      }
    }
  };

  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, lane));
  if (failure !== undefined) throw (failure as { error: unknown }).error;
  return results;
}
