import * as decide from '../../domain/page/decide.ts';
import type { NameClaims } from '../../domain/page/events.ts';
import type { PageFields } from '../../domain/page/fields.ts';
import { NAME_KINDS, reservedName, subdomainFrom, type NameKind } from '../../domain/page/names.ts';
import { existing, pageDecider, type ActivePage } from '../../domain/page/state.ts';
import type { UniqueName } from '../../domain/reservation/decide.ts';
import type { CommandContext } from '../engine/context.ts';
import type { CommandDependencies } from '../dependencies.ts';

/** A page as a caller sends it to be created. */
export type NewPage = decide.PageInput & Pick<PageFields, 'name'>;

/**
 * Creates a page. A subdomain that was not sent is derived from the name.
 *
 * @returns the page's id
 * @throws Invalid
 * @throws NameTaken the subdomain or the domain that was sent is another page's
 * @throws Forbidden the plan allows no more pages
 */
export const createPage =
  ({ handle, pageNames: names, places }: CommandDependencies) =>
  async (input: NewPage, context: CommandContext): Promise<string> => {
    const base = input.subdomain ?? subdomainFrom(input.name);
    // What is invalid is refused before anything is claimed.
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
    return places.taking('pages', context, (take) =>
      names.waitingFor(namesOf(wanted), () => names.untilClaimsHold(() => attempt(take))),
    );
  };

/**
 * Changes a page; fields that are absent stay.
 *
 * @throws NotFound, Invalid
 * @throws NameTaken the new subdomain or domain is another page's
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
      // A repeated command may come when the page has its old names again. A name that is not given back here is
      // released when somebody claims it.
      if (seen.before && state.status === 'active' && !repeated) await names.giveBackOld(seen.before, state, context);
    };
    return names.waitingFor(await newNames(), () => names.untilClaimsHold(attempt));
  };

/** Deletes a page with all below it, and frees its names. @throws NotFound */
export const deletePage =
  ({ handle, pageNames: names }: CommandDependencies) =>
  async (pageId: string, context: CommandContext): Promise<void> => {
    const { state } = await handle(pageId, pageDecider, (page) => decide.deletePage(page, context.now), context);
    if (state.status !== 'deleted') return;
    for (const name of namesOf(state.fields)) await names.giveBack(name, pageId, null, context);
  };

/**
 * Notes that somebody exports the subscribers of a page, before they are sent.
 *
 * @throws NotFound
 */
export const noteSubscribersExported =
  ({ handle }: Pick<CommandDependencies, 'handle'>) =>
  async (pageId: string, which: decide.ExportedSubscribers, context: CommandContext): Promise<void> => {
    await handle(pageId, pageDecider, (page) => decide.exportSubscribers(page, which, context.now), context);
  };

interface PageName extends UniqueName {
  kind: NameKind;
}

/** The unique names among a page's fields. */
const namesOf = (fields: Pick<PageFields, NameKind>): PageName[] =>
  NAME_KINDS.flatMap((kind) => {
    const name = reservedName(kind, fields);
    return name === null ? [] : [{ kind, name }];
  });
