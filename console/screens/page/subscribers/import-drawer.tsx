import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useId } from 'preact/hooks';
import { Failure } from '../../../api/failure.ts';
import { Drawer } from '../../../parts/overlays/drawer.tsx';
import { Form } from '../../../parts/form/form.tsx';
import { describingIds, FieldFrame } from '../../../parts/form/field-frame.tsx';
import { Checkbox } from '../../../parts/form/checkbox.tsx';
import { useSubmit } from '../../../parts/form/use-submit.ts';
import { words } from '../../../shell/language.ts';
import { importCsv, MAX_BYTES, type SubscriberImport } from './csv.ts';

/** Maximum number of rejected lines that are listed. */
const MOST_LISTED = 200;

export interface ImportDrawerProps {
  page_id: string;
  onImported: () => void;
  onClose: () => void;
}

/** Imports subscribers from a file, and shows the outcome of each line. */
export const ImportDrawer = ({ page_id, onImported, onClose }: ImportDrawerProps): JSX.Element => {
  const imported = useSignal<SubscriberImport | null>(null);
  const { subscribers: says } = words.value;
  return (
    <Drawer title={says.importTitle} onClose={onClose}>
      {imported.value ? (
        <Outcome
          imported={imported.value}
          onAgain={() => {
            imported.value = null;
          }}
        />
      ) : (
        <ImportForm
          page_id={page_id}
          onClose={onClose}
          onImported={(outcome) => {
            imported.value = outcome;
            onImported();
          }}
        />
      )}
    </Drawer>
  );
};

const ImportForm = ({
  page_id,
  onImported,
  onClose,
}: Omit<ImportDrawerProps, 'onImported'> & { onImported: (outcome: SubscriberImport) => void }): JSX.Element => {
  const file = useSignal<File | null>(null);
  const skips = useSignal(false);
  const of = useSubmit();
  const id = useId();
  const { subscribers: says } = words.value;
  const send = async (): Promise<void> => {
    if (!file.value) return;
    if (file.value.size > MAX_BYTES) throw new Failure(413, says.importText, { fields: { file: [says.importText] } });
    onImported(await importCsv(page_id, await file.value.text(), skips.value));
  };
  // The API reports errors of the whole file under `_schema` instead of a field name.
  const problem = of.problemOf('file') ?? of.problemOf('_schema');
  const field = { label: says.file, name: 'file', problem, hint: says.importText };
  return (
    <Form submit={says.import} of={of} onSubmit={send} onCancel={onClose}>
      <FieldFrame field={field} id={id}>
        <input
          id={id}
          name="file"
          type="file"
          accept=".csv,text/csv"
          onChange={({ currentTarget }) => {
            file.value = currentTarget.files?.[0] ?? null;
          }}
          {...describingIds(id, field)}
        />
      </FieldFrame>
      <Checkbox label={says.importSkip} name="skip" value={skips} hint={says.importSkipHint} />
    </Form>
  );
};

/** Returns the API's error message for a line. */
const problemOf = ({ message, errors }: { message: string; errors: Record<string, readonly string[]> }): string => {
  const fields = Object.entries(errors).flatMap(([name, sentences]) =>
    sentences.map((sentence) => `${name}: ${sentence}`),
  );
  return fields.length > 0 ? fields.join(' ') : message;
};

const Outcome = ({ imported, onAgain }: { imported: SubscriberImport; onAgain: () => void }): JSX.Element => {
  const { subscribers: says } = words.value;
  const { added, unchanged, refused } = imported.counts;
  const problems = imported.results.flatMap(({ line, error }) => (error ? [{ line, problem: problemOf(error) }] : []));
  return (
    <>
      <p role="status">
        <strong>{says.imported(added, unchanged, refused)}</strong>
      </p>
      {problems.length > 0 && (
        <table class="data import-problems">
          <thead>
            <tr>
              <th scope="col" class="number">
                {says.line}
              </th>
              <th scope="col">{says.problem}</th>
            </tr>
          </thead>
          <tbody>
            {problems.slice(0, MOST_LISTED).map(({ line, problem }) => (
              <tr key={line}>
                <th scope="row" class="number">
                  {line}
                </th>
                <td data-label={says.problem}>
                  <bdi>{problem}</bdi>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {problems.length > MOST_LISTED && <p class="fine">{says.moreLines(problems.length - MOST_LISTED)}</p>}
      <p class="actions">
        <button type="button" class="button" onClick={onAgain}>
          {says.anotherFile}
        </button>
      </p>
    </>
  );
};
