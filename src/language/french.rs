//! The table of messages: English as the code says it, and its French. Sorted by rooms; what
//! several rooms say stands with the lowest of them.
//!
//! French has a space before `:`, `;`, `!`, `?`, `%` and within « »: written as a plain one here,
//! and made a no-break one when the table is read.

/// English, French. `{}` takes the values in their order, `{2}` the second one.
pub(super) const TABLE: &[(&str, &str)] = &[
    ("{} of {}", "{} sur {}"),
    // record: what contained the bots
    ("{} with cgroup", "{} avec cgroup"),
    // record: how games end, and what bots and processes did
    ("ended by the rules ({})", "fin selon les règles ({})"),
    (
        "the limit of plies was reached, the score decided",
        "la limite de demi-coups est atteinte, le score a décidé",
    ),
    (
        "the time of the game was over, the score decided",
        "le temps de la partie est écoulé, le score a décidé",
    ),
    ("player {} forfeited: {}", "forfait du joueur {} : {}"),
    (
        "both forfeited: player 1: {}; player 2: {}",
        "double forfait : joueur 1 : {} ; joueur 2 : {}",
    ),
    ("void, a fault of the referee: {}", "partie annulée par la faute de l'arbitre : {}"),
    ("move late: {} where {} are allowed", "coup trop tardif : {} au lieu de {} au plus"),
    ("its time account was empty after {}", "son crédit de temps était épuisé après {}"),
    ("over {} of CPU time in the game", "plus de {} de temps de calcul dans la partie"),
    ("not ready within {}", "pas prêt en {}"),
    ("illegal move", "coup illégal"),
    ("a line that is not exactly one move", "une ligne qui n'est pas exactement un coup"),
    ("a line of over {} bytes", "une ligne de plus de {} octets"),
    ("a line that is not UTF-8", "une ligne qui n'est pas en UTF-8"),
    ("over {} bytes on {}", "plus de {} octets sur {}"),
    ("it wrote when it was not its turn", "il a écrit alors que ce n'était pas son tour"),
    ("it closed its output", "il a fermé sa sortie"),
    ("it {}", "il {}"),
    ("it would not start: {}", "il n'a pas pu démarrer : {}"),
    ("it did not build", "sa compilation a échoué"),
    (
        "suspended after failing too often, not played",
        "suspendu après trop d'échecs, partie non jouée",
    ),
    ("exited with code {}", "s'est terminé avec le code {}"),
    ("was ended by signal {}", "a été arrêté par le signal {}"),
    ("ended", "s'est terminé"),
    ("a Windows program; build it for Linux", "un programme pour Windows ; compilez-le pour Linux"),
    ("a macOS program; build it for Linux", "un programme pour macOS ; compilez-le pour Linux"),
    (
        "built for another processor ({}); build it for this one",
        "compilé pour un autre processeur ({}) ; compilez-le pour celui-ci",
    ),
    (
        "its loader {} is not on this machine; link it statically or build it here",
        "son chargeur {} n'est pas sur cette machine ; liez-le statiquement ou compilez-le ici",
    ),
    (
        "its first line ends with CR LF; save it with Unix line ends",
        "sa première ligne finit par CR LF ; enregistrez-le avec des fins de ligne Unix",
    ),
    (
        "it is not executable; chmod +x it",
        "il n'est pas exécutable ; rendez-le exécutable avec chmod +x",
    ),
    (
        "{} is not on this machine; install it",
        "{} n'est pas installé sur cette machine ; installez-le",
    ),
    (
        "{} is not there; check `run` in its bot.toml",
        "{} n'existe pas ; vérifiez `run` dans son bot.toml",
    ),
    ("the system refused to start it: {}", "le système a refusé de le démarrer : {}"),
    ("the machine lacks resources: {}", "la machine manque de ressources : {}"),
    ("a panic: {}", "une panique : {}"),
    ("by the rules ({})", "selon les règles ({})"),
    ("limit of plies", "limite de demi-coups"),
    ("time of the game over", "temps de la partie écoulé"),
    ("both forfeited", "double forfait"),
    ("fault of the referee", "faute de l'arbitre"),
    ("move too late", "coup trop tardif"),
    ("time account empty", "crédit de temps épuisé"),
    ("too much CPU time", "trop de temps de calcul"),
    ("not ready in time", "pas prêt à temps"),
    ("line that is no move", "ligne qui n'est pas un coup"),
    ("line too long", "ligne trop longue"),
    ("bytes that are no text", "octets qui ne sont pas du texte"),
    ("too much output", "trop de sortie"),
    ("wrote out of turn", "a écrit hors de son tour"),
    ("closed its output", "a fermé sa sortie"),
    ("process ended", "processus terminé"),
    ("would not start", "n'a pas pu démarrer"),
    ("did not build", "compilation échouée"),
    ("suspended", "suspendu"),
    // report: titles of columns
    ("bot", "bot"),
    ("side", "joueur"),
    ("opponent", "adversaire"),
    ("opening", "ouverture"),
    ("ending", "fin"),
    ("(all)", "(tous)"),
    ("games", "parties"),
    ("distinct", "distinctes"),
    ("wins", "victoires"),
    ("draws", "nulles"),
    ("losses", "défaites"),
    ("W-D-L", "V-N-D"),
    ("score", "score"),
    ("points", "points"),
    ("win rate", "% victoires"),
    ("low", "min"),
    ("high", "max"),
    ("95 %", "95 %"),
    ("plies", "demi-coups"),
    ("forfeits", "forfaits"),
    ("hash", "empreinte"),
    ("calls itself", "se nomme"),
    ("p", "p"),
    ("bound", "borne"),
    ("Elo", "Elo"),
    ("group", "groupe"),
    ("moves", "coups"),
    ("mean ms", "moyenne ms"),
    ("median ms", "médiane ms"),
    ("95 % ms", "95 % ms"),
    ("max ms", "max ms"),
    ("of limit", "de la limite"),
    ("at most", "au plus"),
    ("stolen ms", "volées ms"),
    // report: notes below tables
    (
        "> at least: it won every game that would show how strong it is.",
        "> au moins : il a gagné toutes les parties qui montreraient sa force.",
    ),
    (
        "< at most: it lost every game that would show how strong it is.",
        "< au plus : il a perdu toutes les parties qui montreraient sa force.",
    ),
    (
        "{} of {} games were distinct; games played again narrow no interval.",
        "{} parties distinctes sur {} ; une partie rejouée ne resserre aucun intervalle.",
    ),
    ("{} and {}", "{} et {}"),
    ("{} to {}", "de {} à {}"),
    (
        "All neighbours differ significantly in Elo (95 %, corrected by Holm).",
        "Tous les voisins diffèrent significativement en Elo (95 %, correction de Holm).",
    ),
    (
        "No significant difference in Elo (95 %, corrected by Holm): {}.",
        "Pas de différence d'Elo significative (95 %, correction de Holm) : {}.",
    ),
    (
        "{} groups of bots never met: Elo compares bots of one group only.",
        "{} groupes de bots ne se sont jamais rencontrés : l'Elo ne compare que les bots d'un même \
         groupe.",
    ),
    (
        "Player 1 has an advantage of {} ±{} Elo; {} % of the games between equals are draws.",
        "Le joueur 1 a un avantage de {} ±{} Elo ; {} % des parties entre égaux sont nulles.",
    ),
    (
        "How sure it is that the bot of the row is stronger than that of the column, in per cent.",
        "À quel point il est sûr que le bot de la ligne est plus fort que celui de la colonne, en \
         pour cent.",
    ),
    ("(all) is as player 1 sees it.", "(tous) : du point de vue du joueur 1."),
    ("This is as player 1 sees it.", "Du point de vue du joueur 1."),
    (
        "Games that were played before narrow no interval.",
        "Une partie déjà jouée ne resserre aucun intervalle.",
    ),
    (
        "Half of the moves took no longer than the median, 95 % no longer than 95 % ms (to half a \
         percent). Stolen: CPU time in the opponent's turns.",
        "La moitié des coups n'a pas pris plus que la médiane, 95 % pas plus que « 95 % ms » (à un \
         demi pour cent près). Volées : temps de calcul pendant les tours de l'adversaire.",
    ),
    (
        "The file does not say which moves were played: all games are taken for distinct.",
        "Le fichier ne dit pas quels coups ont été joués : toutes les parties sont tenues pour \
         distinctes.",
    ),
    (
        "Stages: {}. Who came farther stands higher, then by the games of that stage; the figures \
         are of all stages.",
        "Phases : {}. Qui est allé plus loin est mieux classé, puis selon les parties de cette \
         phase ; les chiffres sont ceux de toutes les phases.",
    ),
    (
        "A ladder lets equals meet, so Elo decides the order, not points.",
        "Une échelle fait se rencontrer des égaux : l'ordre vient donc de l'Elo, et non des points.",
    ),
    (
        "Who met whom followed from results: 95 % intervals of Elo then hold the truth less often \
         (85 in a hundred, measured for a Swiss system).",
        "Les rencontres dépendaient des résultats : les intervalles d'Elo à 95 % contiennent alors \
         moins souvent la vérité (85 fois sur cent, mesuré pour un système suisse).",
    ),
    (
        "Byes count as games won, in the points only: {}.",
        "Une exemption compte comme partie gagnée, dans les points seulement : {}.",
    ),
    (
        "Test of {} against {} ({} Elo {} to {}, alpha {}, beta {}): {}.\nLog-likelihood ratio {}, \
         from {} to {}, after {} pairs.{}",
        "Test de {} contre {} (Elo {} de {} à {}, alpha {}, bêta {}) : {}.\nLogarithme du rapport \
         de vraisemblance {}, de {} à {}, après {} paires.{}",
    ),
    (
        "{} is stronger than {}: the difference is not {} Elo or less",
        "{} est plus fort que {} : la différence n'est pas de {} Elo ou moins",
    ),
    (
        "{} is not that much stronger than {}: the difference is not {} Elo or more",
        "{} n'est pas à ce point plus fort que {} : la différence n'est pas de {} Elo ou plus",
    ),
    (
        "stopped undecided, as {} of {} pairs repeat earlier ones move for move: more of them say \
         nothing new; play with openings",
        "arrêté sans décision, car {} des {} paires en répètent une autre coup pour coup : \
         davantage n'apprendrait rien ; jouez avec des ouvertures",
    ),
    (
        "undecided after the most games that were allowed",
        "sans décision après le plus grand nombre de parties permis",
    ),
    ("not decided yet", "pas encore décidé"),
    (
        "\nUnbiased estimate of the difference in Elo: {}.",
        "\nEstimation sans biais de la différence d'Elo : {}.",
    ),
    ("{}: 1 game", "{} : 1 partie"),
    ("{}: {} games", "{} : {} parties"),
    ("game {} against {}, ply {}", "partie {} contre {}, demi-coup {}"),
    ("line: {}", "ligne : {}"),
    ("process: {}", "processus : {}"),
    ("stderr: {}", "stderr : {}"),
    (
        "Isolation: {}; the bots were not contained.",
        "Isolement : {} ; les bots n'étaient pas confinés.",
    ),
    ("Isolation: {}.", "Isolement : {}."),
    ("unknown", "inconnu"),
    ("1 game {}", "1 partie {}"),
    ("{} games {}", "{} parties {}"),
    (
        "Isolation is mixed: {}. They differ: compare with care.",
        "Isolement inégal : {}. Ils diffèrent : comparez avec prudence.",
    ),
    (
        "Isolation is mixed: {}. They differ in {}: compare with care.",
        "Isolement inégal : {}. Ils diffèrent en {} : comparez avec prudence.",
    ),
    ("±{}, from {} to {}", "±{}, de {} à {}"),
    ("at least {}, without an upper bound", "au moins {}, sans borne supérieure"),
    ("at most {}, without a lower bound", "au plus {}, sans borne inférieure"),
    ("without bounds", "sans bornes"),
    ("{} against {}: Elo {}; normalised {}.", "{} contre {} : Elo {} ; normalisé {}."),
    (
        "It is the stronger one with a likelihood of {}.",
        "Il est le plus fort avec une probabilité de {}.",
    ),
    (
        "Distinct pairs by its score, 0 to 2: {}; {} came out even.",
        "Paires distinctes selon son score, de 0 à 2 : {} ; {} à égalité.",
    ),
    (
        "Pairs that repeat an earlier one, not counted again: {}.",
        "Paires qui en répètent une autre, non comptées : {}.",
    ),
    (
        "Games left out for want of a partner: {}.",
        "Parties laissées de côté faute de partenaire : {}.",
    ),
];
