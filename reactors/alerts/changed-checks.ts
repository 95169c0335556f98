import type { RuleInputsDocument } from '../../projections/rule-inputs/projection.ts';
import type { CollectionReader } from '../../projections/readers.ts';

/** Page size. Each row is a position and an id, read from an index. */
const PAGE = 2_000;

/** The ids of the checks whose results changed after one position and up to another. Reads no documents. */
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
    // An event changes one check, so a page never splits the checks of one position.
    from = page.length < PAGE ? upTo : (page.at(-1)?.changed_position ?? upTo);
  }
}
