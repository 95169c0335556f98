import { plurals } from '../words/plurals.ts';
import { bulk } from './es/bulk.ts';
import { checkForm } from './es/check-form.ts';
import { checkStart } from './es/check-start.ts';
import { alertChannels } from './es/alert-channels.ts';
import { alertRules } from './es/alert-rules.ts';
import { alerts } from './es/alerts.ts';
import { common } from './es/common.ts';
import { secrets } from './es/secrets.ts';
import { account } from './es/account/account.ts';
import { audit } from './es/account/audit.ts';
import { keys } from './es/account/keys.ts';
import { links } from './es/account/links.ts';
import { operator } from './es/account/operator.ts';
import { people } from './es/account/people.ts';
import { plan } from './es/account/plan.ts';
import { sessions } from './es/account/sessions.ts';
import { wall } from './es/account/wall.ts';
import { incidents } from './es/incidents.ts';
import { maintenances } from './es/maintenances.ts';
import { templates } from './es/templates.ts';
import { check } from './es/check.ts';
import { result } from './es/result.ts';
import { groups } from './es/groups.ts';
import { heartbeats } from './es/heartbeats.ts';
import { reports } from './es/reports.ts';
import { runners } from './es/runners.ts';
import { tags } from './es/tags.ts';
import { appearance } from './es/appearance.ts';
import { components } from './es/components.ts';
import { pageSettings } from './es/page-settings.ts';
import { pages } from './es/pages.ts';
import { subscribers } from './es/subscribers.ts';
import { palette } from './es/palette.ts';
import { savedViews } from './es/saved-views.ts';
import { past } from './es/past.ts';
import { shortcuts } from './es/shortcuts.ts';
import { simulation } from './es/simulation.ts';
import type { ConsoleWords } from './words.ts';

const seconds = plurals('es', { one: 'segundo', other: 'segundos' });
const checks = plurals('es', { one: 'comprobación más falla', other: 'comprobaciones más fallan' });
const moreAlerts = plurals('es', { one: 'alerta más abierta', other: 'alertas más abiertas' });
const ofChecks = plurals('es', { one: 'comprobación', other: 'comprobaciones' });

export const es: ConsoleWords = {
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
  skipToContent: 'Ir al contenido',
  loading: 'Cargando',
  close: 'Cerrar',
  needsScript: 'La consola necesita JavaScript. Actívelo para este sitio.',
  screens: {
    overview: 'Resumen',
    checks: 'Comprobaciones',
    alerts: 'Alertas',
    secrets: 'Secretos',
    people: 'Personas',
    keys: 'Claves de API',
    audit: 'Registro de auditoría',
    plan: 'Plan y pagos',
    usage: 'Consumo',
    operator: 'Servicio',
    profile: 'Su cuenta',
    sessions: 'Sesiones',
    wall: 'Vista mural',
    incidents: 'Incidentes',
    maintenances: 'Mantenimientos',
    incidentTemplates: 'Plantillas de incidentes',
    heartbeats: 'Heartbeats',
    groups: 'Grupos',
    tags: 'Etiquetas',
    reports: 'Informes',
    runners: 'Ejecutores',
    pages: 'Páginas de estado',
  },
  shell: {
    navigation: 'Menú',
    openNavigation: 'Abrir el menú',
    closeNavigation: 'Cerrar el menú',
    account: 'Cuenta',
    signOut: 'Cerrar sesión',
    documentation: 'Documentación de la API',
    reconnecting: 'Reconectando, último dato',
    shortcuts: 'Atajos de teclado',
    language: 'Idioma',
    theme: 'Apariencia',
    themes: { system: 'Sistema', light: 'Claro', dark: 'Oscuro' },
    roles: { viewer: 'Lectura', editor: 'Edición', admin: 'Administración', billing: 'Facturación' },
  },
  failure: {
    title: 'No se pudo cargar',
    unreachable: 'El servicio no responde. Quizá se esté reiniciando, o la red haya fallado.',
    forbidden: 'Su rol no lo permite.',
    tryAgain: 'Reintentar',
    request: 'Solicitud',
    tooMany: (count) => `Demasiados intentos. Espere ${seconds(count)}.`,
    notFound: 'Página no encontrada',
    notFoundText: 'No hay nada en esta dirección. Puede que se haya eliminado o que el enlace esté incompleto.',
    backToOverview: 'Ir al resumen',
  },
  signIn: {
    title: 'Iniciar sesión',
    email: 'Correo electrónico',
    password: 'Contraseña',
    submit: 'Iniciar sesión',
    showPassword: 'Mostrar',
    hidePassword: 'Ocultar',
    wrong: 'El correo o la contraseña no son correctos.',
    ended: 'Su sesión ha terminado. Vuelva a iniciarla.',
    codeTitle: 'Segundo factor',
    codeText: 'Introduzca el código de su aplicación de autenticación o uno de sus códigos de recuperación.',
    code: 'Código',
    wrongCode: 'El código no es correcto o ha caducado. Si continúa, empiece de nuevo.',
    startOver: 'Empezar de nuevo',
    notEncrypted: 'Esta conexión no está cifrada: otros en la red pueden leer su contraseña. Use https.',
    forgotten: '¿Olvidó su contraseña?',
  },
  firstRun: {
    title: 'Configurar Uptrail',
    keyText: (file, variable) =>
      `Introduzca la clave de administración. Se mostró en el primer arranque y está en el archivo ${file} de la carpeta de datos, salvo que ${variable} indique otra.`,
    key: 'Clave de administración',
    continue: 'Continuar',
    wrongKey: 'Esta clave es desconocida. Compruebe que la ha copiado entera.',
    noAdminKey: 'Esta clave no permite crear cuentas. Se necesita una clave de administración.',
    userTitle: 'Crear su cuenta',
    userText: 'Su cuenta es la primera y administra el servicio. Más tarde podrá invitar a otras personas.',
    repeatPassword: 'Repetir la contraseña',
    passwordRule: 'Al menos 8 caracteres.',
    different: 'Las contraseñas no coinciden.',
    emailRefused: 'Esta dirección de correo no es válida.',
    emailTaken: 'Esta dirección de correo pertenece a otra cuenta.',
    passwordRefused: 'Esta contraseña es demasiado fácil de adivinar. Elija otra.',
    submit: 'Crear la cuenta',
    otherKey: 'Usar otra clave',
    already: 'Ya existe una cuenta. Inicie sesión.',
  },
  states: { down: 'caídas', up: 'activas', pending: 'pendientes', paused: 'en pausa' },
  severities: { low: 'baja', medium: 'media', high: 'alta', critical: 'crítica' },
  incidentStatuses: {
    investigating: 'en investigación',
    identified: 'causa identificada',
    monitoring: 'en observación',
    in_progress: 'en curso',
    verifying: 'en verificación',
  },
  overview: {
    failing: 'Comprobaciones con fallos',
    allUp: 'Todo funciona',
    allUpText: 'Ninguna comprobación falla, no hay alertas abiertas ni heartbeats atrasados.',
    noChecks: 'Todavía no se vigila nada',
    noChecksText: 'Cree una comprobación y su estado aparecerá aquí.',
    howToCreate: 'Cómo crear una comprobación',
    more: checks,
    alerts: 'Alertas abiertas',
    moreAlerts,
    acknowledge: 'Confirmar',
    acknowledged: 'confirmada',
    lateHeartbeats: 'Heartbeats atrasados',
    late: 'atrasado',
    incidents: 'Incidentes y mantenimientos',
  },
  checks: {
    name: 'Nombre',
    type: 'Tipo',
    message: 'Mensaje',
    hours: 'Últimas 24 horas',
    since: 'Desde hace',
    responseTime: 'Tiempo de respuesta',
    uptime: 'Disponibilidad en 30 días',
    tags: 'Etiquetas',
    filter: 'Filtrar comprobaciones',
    filterExample: 'status:down tag:eu texto',
    matches: ofChecks,
    noMatch: 'Ninguna comprobación coincide con el filtro.',
    showAll: 'Mostrar todas las comprobaciones',
    orderChanged: 'El orden ha cambiado',
    select: 'Seleccionar',
    selectAll: 'Seleccionar todas las comprobaciones',
    selection: 'Comprobaciones seleccionadas',
    selected: (count) => `Selección: ${ofChecks(count)}`,
    selectMatches: (count) => `Seleccionar todo: ${ofChecks(count)}`,
    pause: 'Pausar',
    resume: 'Reanudar',
    run: 'Ejecutar ahora',
    addTags: 'Añadir',
    removeTags: 'Quitar',
    tagsHint: 'Minúsculas, cifras y . _ : - separados por espacios.',
    delete: 'Eliminar',
    tooMany: (count) => `Como máximo ${ofChecks(count)} a la vez`,
    clear: 'Cancelar la selección',
    deleted: 'eliminada',
    undo: 'Deshacer',
    changed: (count) => `Cambios: ${ofChecks(count)}.`,
    deletedMany: (count) => `Eliminado: ${ofChecks(count)}.`,
    restored: (count) => `Restaurado: ${ofChecks(count)}.`,
    started: 'La comprobación está en curso.',
  },
};
