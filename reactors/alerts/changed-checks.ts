import type { RuleInputsDocument } from '../../projections/rule-inputs/projection.ts';
import type { CollectionReader } from '../../projections/readers.ts';

/** Rows per page. A row is a position and an id, both read from an index. */
const PAGE = 2_000;

/** Yields the ids of the checks with results at positions above `after` and up to `upTo`. Reads only an index. */
export async function* readChangedChecks(
  reader: Pick<CollectionReader<RuleInputsDocument>, 'pick'>,
  after: number,
  upTo: number,
): AsyncIterable<string> {
  for (let from = after; from < upTo;) {
    const page = await reader.pick(['check_id', 'changed_position'], {
      where: { changed_position: { $gt: from, $lte: upTo } },
      sort: { changed_position: 1 },
      limit: PAGE,
    });
    for (const { check_id } of page) yield check_id;
    // An event changes only one check, so the rows of a page and the next page never share a position.
    from = page.length < PAGE ? upTo : (page.at(-1)?.changed_position ?? upTo);
  }
}
