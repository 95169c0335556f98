/** Texts of the people screen. */
export interface PeopleWords {
  person: string;
  role: string;
  status: string;
  lastSignIn: string;
  never: string;
  you: string;
  members: string;
  removed: string;
  nobody: string;
  nobodyRemoved: string;
  invite: string;
  inviteTitle: string;
  inviteText: string;
  linkTitle: string;
  linkText: string;
  changeRole: string;
  resend: string;
  resendTitle: string;
  resendText: string;
  removeTitle: string;
  removeText: string;
  statuses: {
    active: string;
    invited: string;
    disabled: string;
  };
  roleTexts: {
    viewer: string;
    editor: string;
    admin: string;
    billing: string;
  };
}
