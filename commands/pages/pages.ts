import * as decide from '../../domain/page/decide.ts';
import type { NameClaims } from '../../domain/page/events.ts';
import type { PageFields } from '../../domain/page/fields.ts';
import { NAME_KINDS, reservedName, subdomainFrom, type NameKind } from '../../domain/page/names.ts';
import { existing, pageDecider, type ActivePage } from '../../domain/page/state.ts';
import type { UniqueName } from '../../domain/reservation/decide.ts';
import type { CommandContext } from '../engine/context.ts';
import type { CommandDependencies } from '../dependencies.ts';

/** The body of a request that creates a page. */
export type NewPage = decide.PageInput & Pick<PageFields, 'name'>;

/**
 * Creates a page. If the request has no subdomain, the subdomain is derived from the name.
 *
 * @returns the page's id
 * @throws Invalid
 * @throws NameTaken if another page has the requested subdomain or domain
 * @throws Forbidden if the plan allows no more pages
 */
export const createPage =
  ({ handle, pageNames: names, quotas }: CommandDependencies) =>
  async (input: NewPage, context: CommandContext): Promise<string> => {
    const base = input.subdomain ?? subdomainFrom(input.name);
    // Validate the fields before claiming names.
    const wanted = decide.newPageFields({ ...input, subdomain: base });

    const attempt = async (take: (id: string) => Promise<void>): Promise<string> => {
      const pageId = context.newId();
      const page = await handle.load(pageId, pageDecider, context);
      let fields = wanted;
      const claims: NameClaims = {};
      if (page.status === 'absent') {
        await take(pageId);
        if (input.subdomain === undefined) {
          const derived = await names.claimSubdomain(base, pageId, context);
          fields = { ...wanted, subdomain: derived.subdomain };
          claims.subdomain = derived.claim;
        }
        for (const name of namesOf(fields)) {
          claims[name.kind] ??= await names.claim(name, pageId, context);
        }
      }
      await handle(
        pageId,
        pageDecider,
        (state) => decide.createPage(state, pageId, fields, claims, context.now),
        context,
      );
      return pageId;
    };
    return quotas.taking('pages', context, (take) =>
      names.inOrder(namesOf(wanted), () => names.untilClaimHolds(() => attempt(take))),
    );
  };

/**
 * Changes a page. Absent fields keep their value.
 *
 * @throws NotFound, Invalid
 * @throws NameTaken if another page has the new subdomain or domain
 */
export const updatePage =
  ({ handle, pageNames: names }: CommandDependencies) =>
  async (pageId: string, input: decide.PageInput, context: CommandContext): Promise<void> => {
    const newNames = async (): Promise<PageName[]> => {
      if (NAME_KINDS.every((kind) => input[kind] === undefined)) return [];
      const page = existing(await handle.load(pageId, pageDecider, context));
      return [...decide.newNamesOf(page, input)].map(([kind, name]) => ({ kind, name }));
    };

    const attempt = async (): Promise<void> => {
      const claims: NameClaims = {};
      for (const name of await newNames()) claims[name.kind] = await names.claim(name, pageId, context);
      const seen: { before?: ActivePage } = {};
      const { state, repeated } = await handle(
        pageId,
        pageDecider,
        (page) => {
          if (page.status === 'active') seen.before = page;
          return decide.updatePage(page, input, claims, context.now);
        },
        context,
      );
      // A repeated command releases nothing, because the page might have got its previous names back in the meantime. A
      // name that is not released here is released when another page claims it.
      if (seen.before && state.status === 'active' && !repeated) await names.releaseOld(seen.before, state, context);
    };
    return names.inOrder(await newNames(), () => names.untilClaimHolds(attempt));
  };

/** Deletes a page and everything that belongs to it, and releases its names. @throws NotFound */
export const deletePage =
  ({ handle, pageNames: names }: CommandDependencies) =>
  async (pageId: string, context: CommandContext): Promise<void> => {
    const { state } = await handle(pageId, pageDecider, (page) => decide.deletePage(page, context.now), context);
    if (state.status !== 'deleted') return;
    for (const name of namesOf(state.fields)) await names.release(name, pageId, null, context);
  };

/**
 * Records that a user exports the subscribers of a page. Must be called before the subscribers are sent.
 *
 * @throws NotFound
 */
export const recordSubscribersExported =
  ({ handle }: Pick<CommandDependencies, 'handle'>) =>
  async (pageId: string, which: decide.ExportedSubscribers, context: CommandContext): Promise<void> => {
    await handle(pageId, pageDecider, (page) => decide.exportSubscribers(page, which, context.now), context);
  };

interface PageName extends UniqueName {
  kind: NameKind;
}

/** Returns the names among a page's fields that must be unique. */
const namesOf = (fields: Pick<PageFields, NameKind>): PageName[] =>
  NAME_KINDS.flatMap((kind) => {
    const name = reservedName(kind, fields);
    return name === null ? [] : [{ kind, name }];
  });
