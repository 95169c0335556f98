/** Texts of the user's own account screen. */
export interface AccountWords {
  account: string;
  firstName: string;
  lastName: string;
  emailText: string;
  changePassword: string;
  oldPassword: string;
  newPassword: string;
  passwordChanged: string;
  secondFactor: string;
  factorOn: string;
  factorOff: string;
  factorOnText: string;
  factorOffText: string;
  setUp: string;
  switchOff: string;
  next: string;
  scan: string;
  qrCode: string;
  orType: string;
  secret: string;
  codeHint: string;
  anyCodeHint: string;
  confirm: string;
  codes: string;
  codesText: string;
  codesKept: string;
  sessionsText: string;
  showSessions: string;
}
