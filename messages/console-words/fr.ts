import { plurals } from '../words/plurals.ts';
import { bulk } from './fr/bulk.ts';
import { checkForm } from './fr/check-form.ts';
import { checkStart } from './fr/check-start.ts';
import { alertChannels } from './fr/alert-channels.ts';
import { alertRules } from './fr/alert-rules.ts';
import { alerts } from './fr/alerts.ts';
import { common } from './fr/common.ts';
import { secrets } from './fr/secrets.ts';
import { account } from './fr/account/account.ts';
import { audit } from './fr/account/audit.ts';
import { keys } from './fr/account/keys.ts';
import { links } from './fr/account/links.ts';
import { operator } from './fr/account/operator.ts';
import { people } from './fr/account/people.ts';
import { plan } from './fr/account/plan.ts';
import { sessions } from './fr/account/sessions.ts';
import { wall } from './fr/account/wall.ts';
import { incidents } from './fr/incidents.ts';
import { maintenances } from './fr/maintenances.ts';
import { templates } from './fr/templates.ts';
import { check } from './fr/check.ts';
import { result } from './fr/result.ts';
import { groups } from './fr/groups.ts';
import { heartbeats } from './fr/heartbeats.ts';
import { reports } from './fr/reports.ts';
import { runners } from './fr/runners.ts';
import { tags } from './fr/tags.ts';
import { appearance } from './fr/appearance.ts';
import { components } from './fr/components.ts';
import { pageSettings } from './fr/page-settings.ts';
import { pages } from './fr/pages.ts';
import { subscribers } from './fr/subscribers.ts';
import { palette } from './fr/palette.ts';
import { savedViews } from './fr/saved-views.ts';
import { past } from './fr/past.ts';
import { shortcuts } from './fr/shortcuts.ts';
import { simulation } from './fr/simulation.ts';
import type { ConsoleWords } from './words.ts';

const seconds = plurals('fr', { one: 'seconde', other: 'secondes' });
const checks = plurals('fr', { one: 'autre vérification en échec', other: 'autres vérifications en échec' });
const moreAlerts = plurals('fr', { one: 'autre alerte ouverte', other: 'autres alertes ouvertes' });
const ofChecks = plurals('fr', { one: 'vérification', other: 'vérifications' });

export const fr: ConsoleWords = {
  common,
  bulk,
  checkForm,
  checkStart,
  secrets,
  account,
  audit,
  keys,
  links,
  operator,
  people,
  plan,
  sessions,
  wall,
  incidents,
  maintenances,
  templates,
  check,
  result,
  alerts,
  alertRules,
  alertChannels,
  heartbeats,
  groups,
  tags,
  reports,
  runners,
  pages,
  components,
  appearance,
  pageSettings,
  subscribers,
  palette,
  savedViews,
  shortcuts,
  past,
  simulation,
  skipToContent: 'Aller au contenu',
  loading: 'Chargement',
  close: 'Fermer',
  needsScript: 'La console a besoin de JavaScript. Veuillez l’autoriser pour ce site.',
  screens: {
    overview: 'Vue d’ensemble',
    checks: 'Vérifications',
    alerts: 'Alertes',
    secrets: 'Secrets',
    people: 'Personnes',
    keys: 'Clés d’API',
    audit: 'Journal d’audit',
    plan: 'Offre',
    usage: 'Consommation',
    operator: 'Service et état',
    profile: 'Votre compte',
    sessions: 'Sessions ouvertes',
    wall: 'Affichage mural',
    incidents: 'Incidents',
    maintenances: 'Maintenances',
    incidentTemplates: 'Modèles d’incident',
    heartbeats: 'Heartbeats',
    groups: 'Groupes',
    tags: 'Étiquettes',
    reports: 'Rapports',
    runners: 'Exécuteurs',
    pages: 'Pages de statut',
  },
  shell: {
    navigation: 'Menu',
    openNavigation: 'Ouvrir le menu',
    closeNavigation: 'Fermer le menu',
    account: 'Compte',
    signOut: 'Se déconnecter',
    documentation: 'Documentation de l’API',
    reconnecting: 'Reconnexion, dernière mise à jour',
    shortcuts: 'Raccourcis clavier',
    language: 'Langue',
    theme: 'Apparence',
    themes: { system: 'Système', light: 'Clair', dark: 'Sombre' },
    roles: { viewer: 'Lecture', editor: 'Édition', admin: 'Administration', billing: 'Facturation' },
  },
  failure: {
    title: 'Le chargement a échoué',
    unreachable: 'Le service ne répond pas. Il redémarre peut-être, ou le réseau est coupé.',
    forbidden: 'Votre rôle ne le permet pas.',
    tryAgain: 'Réessayer',
    request: 'Requête',
    tooMany: (count) => `Trop de tentatives. Veuillez attendre ${seconds(count)}.`,
    notFound: 'Page introuvable',
    notFoundText: 'Il n’y a rien à cette adresse. La page a été supprimée, ou le lien est incomplet.',
    backToOverview: 'Aller à la vue d’ensemble',
  },
  signIn: {
    title: 'Connexion',
    email: 'Adresse e-mail',
    password: 'Mot de passe',
    submit: 'Se connecter',
    showPassword: 'Afficher',
    hidePassword: 'Masquer',
    wrong: 'L’adresse e-mail ou le mot de passe est incorrect.',
    ended: 'Votre session est terminée. Veuillez vous reconnecter.',
    codeTitle: 'Second facteur',
    codeText: 'Saisissez le code de votre application d’authentification, ou l’un de vos codes de secours.',
    code: 'Code à usage unique',
    wrongCode: 'Le code est incorrect ou a expiré. Si cela persiste, recommencez.',
    startOver: 'Recommencer',
    notEncrypted:
      'Cette connexion n’est pas chiffrée : d’autres personnes du réseau peuvent lire votre mot de passe. Utilisez https.',
    forgotten: 'Mot de passe oublié ?',
  },
  firstRun: {
    title: 'Configurer Uptrail',
    keyText: (file, variable) =>
      `Saisissez la clé d’administration. Elle a été affichée au premier démarrage et se trouve dans le fichier ${file} du dossier de données, sauf si ${variable} en donne une autre.`,
    key: 'Clé d’administration',
    continue: 'Continuer',
    wrongKey: 'Cette clé est inconnue. Vérifiez qu’elle est copiée en entier.',
    noAdminKey: 'Cette clé ne permet pas de créer un compte. Il faut une clé d’administration.',
    userTitle: 'Créer votre compte',
    userText:
      'Votre compte est le premier et administre le service. Vous pourrez inviter d’autres personnes plus tard.',
    repeatPassword: 'Répéter le mot de passe',
    passwordRule: 'Au moins 8 caractères.',
    different: 'Les mots de passe diffèrent.',
    emailRefused: 'Cette adresse e-mail n’est pas valide.',
    emailTaken: 'Cette adresse e-mail appartient à un autre compte.',
    passwordRefused: 'Ce mot de passe est trop facile à deviner. Choisissez-en un autre.',
    submit: 'Créer le compte',
    otherKey: 'Utiliser une autre clé',
    already: 'Il existe déjà un compte. Veuillez vous connecter.',
  },
  states: { down: 'en panne', up: 'en service', pending: 'en attente', paused: 'en pause' },
  severities: { low: 'faible', medium: 'moyenne', high: 'élevée', critical: 'critique' },
  incidentStatuses: {
    investigating: 'en cours d’analyse',
    identified: 'cause identifiée',
    monitoring: 'sous surveillance',
    in_progress: 'en cours',
    verifying: 'en vérification',
  },
  overview: {
    failing: 'Vérifications en échec',
    allUp: 'Tout fonctionne',
    allUpText: 'Aucune vérification n’échoue, aucune alerte n’est ouverte et aucun heartbeat n’est en retard.',
    noChecks: 'Rien n’est encore surveillé',
    noChecksText: 'Créez une vérification : son état apparaîtra ici.',
    howToCreate: 'Comment créer une vérification',
    more: checks,
    alerts: 'Alertes ouvertes',
    moreAlerts,
    acknowledge: 'Prendre en charge',
    acknowledged: 'prise en charge',
    lateHeartbeats: 'Heartbeats en retard',
    late: 'en retard',
    incidents: 'Incidents et maintenances',
  },
  checks: {
    name: 'Nom',
    type: 'Type',
    message: 'Message',
    hours: 'Dernières 24 heures',
    since: 'Depuis',
    responseTime: 'Temps de réponse',
    uptime: 'Disponibilité sur 30 jours',
    tags: 'Étiquettes',
    filter: 'Filtrer les vérifications',
    filterExample: 'status:down tag:eu texte',
    matches: ofChecks,
    noMatch: 'Aucune vérification ne correspond au filtre.',
    showAll: 'Afficher toutes les vérifications',
    orderChanged: 'L’ordre a changé',
    select: 'Sélectionner',
    selectAll: 'Sélectionner toutes les vérifications',
    selection: 'Vérifications sélectionnées',
    selected: (count) => `Sélection : ${ofChecks(count)}`,
    selectMatches: (count) => `Tout sélectionner : ${ofChecks(count)}`,
    pause: 'Mettre en pause',
    resume: 'Reprendre',
    run: 'Exécuter maintenant',
    addTags: 'Ajouter',
    removeTags: 'Retirer',
    tagsHint: 'Minuscules, chiffres et . _ : - séparés par des espaces.',
    delete: 'Supprimer',
    tooMany: (count) => `Au plus ${ofChecks(count)} à la fois`,
    clear: 'Annuler la sélection',
    deleted: 'supprimée',
    undo: 'Rétablir',
    changed: (count) => `Modification : ${ofChecks(count)}.`,
    deletedMany: (count) => `Suppression : ${ofChecks(count)}.`,
    restored: (count) => `Restauration : ${ofChecks(count)}.`,
    started: 'La vérification est en cours.',
  },
};
