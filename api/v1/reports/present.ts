import type { ReportDocument } from '../../../projections/reports/projection.ts';
import { maskAddress } from '../../../queries/pages/recipients.ts';
import { decryptRecipients } from '../../../queries/reports/reports.ts';
import type { ApiSurface } from '../../route.ts';
import { createPresenter } from '../../presenter.ts';
import { artifactLink } from '../artifacts/link.ts';
import { Report } from './schema.ts';

const present = createPresenter(Report, ['recipients', 'download_url']);

/**
 * Converts a report to its form in responses. For callers who cannot change the report, the recipients' addresses are
 * masked.
 */
export const presentReport = async (
  document: ReportDocument,
  {
    scope,
    artifacts,
    addressOf,
    mac,
    may,
  }: Pick<ApiSurface['given'], 'scope' | 'artifacts' | 'addressOf' | 'mac' | 'may'>,
): Promise<Report> => {
  const recipients = await decryptRecipients(scope, document.recipients);
  // The file might be deleted: an organization's oldest files are deleted to make room (stores/artifacts/limits.ts).
  const file = document.artifact_id === null ? null : await artifacts.find(document.artifact_id);
  return present(document, {
    recipients: may('reports.write') ? recipients : recipients.map((address) => maskAddress('email', address)),
    download_url: file && addressOf(await artifactLink(file, scope.now, mac)),
  });
};
