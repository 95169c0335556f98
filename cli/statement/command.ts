import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { makeStatement } from '../../api/v1/statements/make.ts';
import { DomainError } from '../../domain/errors.ts';
import { instantOf } from '../../domain/time.ts';
import { statementJson } from '../../messages/statement/json.ts';
import { pages } from '../../projections/pages/projection.ts';
import { pageOfSubdomain } from '../../queries/pages/pages.ts';
import type { Config } from '../../service/config/config.ts';
import { currentRead } from '../../service/current-read.ts';
import { OperatorError } from '../../service/operator-error.ts';
import type { Output } from '../../service/output.ts';
import { openCoordination, openLog, openReadModels, siteOf } from '../../service/stores.ts';
import type { Read } from '../../projections/readers.ts';
import { organizationOfPage, withStatementSources } from './sources.ts';

export interface StatementOptions {
  /** id or subdomain */
  page: string;
  /** `2026-10` */
  month: string;
  /** the PDF to write; null: JSON is printed */
  pdf: string | null;
  signal: AbortSignal;
}

/** `uptrail statement`: makes the statement of a month. @throws OperatorError */
export const runStatement = (config: Config, options: StatementOptions, output: Output): Promise<void> =>
  withStatementSources(config, options.signal, async (sources) => {
    const { page, month, pdf, signal } = options;
    if (pdf !== null && existsSync(pdf)) throw new OperatorError(existing(pdf));
    const pageId = (await organizationOfPage(sources.main, page)) === null ? await idOf(config, page) : page;
    const organizationId = pageId === null ? null : await organizationOfPage(sources.main, pageId);
    if (pageId === null || organizationId === null)
      throw new OperatorError(`No page has the id or the subdomain "${page}".`);
    const now = instantOf(Date.now());
    const statement = await makeStatement(sources, { organizationId, pageId, month, now }, signal).catch(
      (error: unknown) => {
        throw error instanceof DomainError ? new OperatorError(error.message, { cause: error }) : error;
      },
    );
    if (pdf === null) {
      await output.line(statementJson(statement).trimEnd());
      return;
    }
    const { statementPdf } = await import('../../messages/statement/pdf.ts');
    await writeNew(pdf, await statementPdf(statement));
    await output.line(`The statement of ${statement.page.name} for ${month} is in ${pdf}.`);
  });

const existing = (file: string): string => `${file} exists already. Remove it, or name another file.`;

/** Writes a file that must not exist yet. @throws OperatorError */
const writeNew = async (file: string, content: Uint8Array): Promise<void> => {
  try {
    await writeFile(file, content, { flag: 'wx' });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const sentence = code === 'EEXIST' ? existing(file) : `${file} could not be written: ${message}.`;
    throw new OperatorError(sentence, { cause: error });
  }
};

/** Finds the id of a page by its subdomain. */
const idOf = async (config: Config, subdomain: string): Promise<string | null> => {
  const site = siteOf(config);
  const stores = await Promise.all([openReadModels(site, 'reader'), openCoordination(site)]);
  const [readStore, coordination] = stores;
  try {
    const main = await openLog(site, 'main', 'reader');
    try {
      const reader = await currentRead(pages, ['page'], { main, readStore, coordination });
      const page = await pageOfSubdomain((() => reader) as unknown as Read, subdomain);
      return page?.id ?? null;
    } finally {
      await main.close();
    }
  } finally {
    for (const store of stores) await store.close();
  }
};
