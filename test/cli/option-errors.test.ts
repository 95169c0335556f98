import { suite } from 'uvu';
import { withOptionNames } from '../../cli/option-errors.ts';
import { EmailTaken } from '../../commands/reservations/user-emails.ts';
import { ConcurrentChange, Invalid } from '../../domain/errors.ts';
import { OperatorError } from '../../service/operator-error.ts';
import { rejects } from '../rejects.ts';

const test = suite('a refusal at the command line');
const refused = (error: Error) => withOptionNames({ email: '--email' }, () => Promise.reject(error));

test('an error about an invalid or conflicting field names the command line option', async () => {
  await rejects(refused(Invalid.field('email', 'Must not be blank.')), OperatorError, '--email: Must not be blank.');
  await rejects(refused(new EmailTaken()), OperatorError, '--email: Already belongs to a user.');
});

test('an error about a nested field names the command line option', async () => {
  const refusal = Promise.reject(Invalid.field('invoice_details.email', 'Must not be blank.'));
  const naming = withOptionNames({ 'invoice_details.email': '--email' }, () => refusal);
  await rejects(naming, OperatorError, '--email: Must not be blank.');
});

test('an error that is not about a field stays unchanged', () =>
  rejects(refused(new ConcurrentChange()), OperatorError, /changed at the same time/));

test.run();
