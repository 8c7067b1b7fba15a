//! Folders as students submit them: small versions of their programs, with all the files around
//! them.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::process::Command;

use crate::scratch::Scratch;

/// A submitted folder.
pub(super) struct Handed {
    pub(super) name: &'static str,
    /// Required commands.
    pub(super) needs: &'static [&'static str],
    /// Path to submit.
    pub(super) place: &'static str,
    /// Its expected way of communication.
    pub(super) way: &'static str,
    files: &'static [(&'static str, &'static str)],
    /// Changes that a list of files cannot express.
    more: fn(&Scratch, &str),
}

/// Writes a folder.
pub(super) fn hand_in(scratch: &Scratch, handed: &Handed, at: &str) {
    for (name, text) in handed.files {
        scratch.write(&format!("{at}/{name}"), text);
    }
    (handed.more)(scratch, at);
}

fn nothing(_: &Scratch, _: &str) {}

/// Plays 1R, 3R, 5R or 2R, 4R, 6R, depending on the first argument.
pub(super) const PYTHON: &str = r#"import sys

hole = 1 if sys.argv[1] == "1" else 2
if len(sys.argv[1]) != 1:
    sys.exit("usage: joueur 1|2")
for line in sys.stdin:
    if line.strip() == "END":
        break
    print(f"{hole}R", flush=True)
    hole += 2
"#;

/// The same.
pub(super) const C: &str = r#"#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    char line[64];
    int hole = argc > 1 ? atoi(argv[1]) : 0;
    if (hole != 1 && hole != 2)
        return 1;
    while (fgets(line, sizeof line, stdin) && strncmp(line, "END", 3)) {
        printf("%dR\n", hole);
        fflush(stdout);
        hole += 2;
    }
    return 0;
}
"#;

const BOARD_H: &str = "#ifndef PLATEAU_H\n#define PLATEAU_H\nint next_hole(int hole);\n#endif\n";
const BOARD_C: &str = "#include \"plateau.h\"\nint next_hole(int hole) { return hole + 2; }\n";

const C_WITH_BOARD: &str = r#"#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "plateau.h"

int main(int argc, char *argv[]) {
    char coup[64];
    int trou = atoi(argv[1]);
    while (fgets(coup, sizeof coup, stdin) != NULL && strncmp(coup, "END", 3) != 0) {
        printf("%dR\n", trou);
        fflush(stdout);
        trou = next_hole(trou);
    }
    return EXIT_SUCCESS;
}
"#;

/// A test and a referee, which are also programs.
const TEST_C: &str = "#include <assert.h>\n#include \"plateau.h\"\n\
                      int main(void) {\n    assert(next_hole(1) == 3);\n    return 0;\n}\n";
const REFEREE_C: &str = "#include <stdio.h>\nint main(void) {\n    \
                         FILE *j = popen(\"./joueur 1\", \"r\");\n    return j == NULL;\n}\n";

const CPP: &str = r#"#include <iostream>
#include <string>
#include "plateau.h"

int main(int argc, char** argv) {
    int trou = std::stoi(argv[1]);
    std::string coup;
    while (std::cin >> coup && coup != "END") {
        std::cout << trou << "R" << std::endl;
        trou = next_hole(trou);
    }
    return 0;
}
"#;

const JAVA_REFEREE: &str = r#"import java.io.*;

/** L'arbitre du concours : lance les deux joueurs. */
public class Arbitre {
    public static void main(String[] args) throws Exception {
        Process a = new ProcessBuilder("java", "-jar", "JoueurA.jar", "JoueurA").start();
        BufferedReader r = new BufferedReader(new InputStreamReader(a.getInputStream()));
        System.out.println(r.readLine() + " RESULT");
    }
}
"#;

const JAVA: &str = r#"import java.util.Scanner;

public class Joueur {
    public static void main(String[] args) {
        Plateau plateau = new Plateau(Integer.parseInt(args[0]));
        Scanner in = new Scanner(System.in);
        while (in.hasNextLine() && !in.nextLine().equals("END")) {
            System.out.println(plateau.next() + "R");
            System.out.flush();
        }
    }
}
"#;

const JAVA_BOARD: &str = r"class Plateau {
    private int hole;
    Plateau(int hole) { this.hole = hole; }
    int next() { hole += 2; return hole - 2; }
}
";

const JAVA_COURSE: &str = r#"package fr.univ.awale;

import fr.univ.awale.ia.Cerveau;
import java.util.Scanner;

public final class Lanceur {
    public static void main(String[] args) {
        int trou = args[0].equals("JoueurA") ? 1 : 2;
        Scanner in = new Scanner(System.in);
        Cerveau cerveau = new Cerveau(trou);
        while (in.hasNextLine()) {
            in.nextLine();
            if (cerveau.fini()) {
                System.out.println("RESULT LIMIT 0 0");
                return;
            }
            System.out.println(cerveau.coup() + "R");
        }
    }
}
"#;

const JAVA_BRAIN: &str = r"package fr.univ.awale.ia;

public class Cerveau {
    private final Compteur compteur;
    public Cerveau(int trou) { compteur = new Compteur(trou); }
    public boolean fini() { return compteur.trou > 14; }
    public int coup() { return compteur.prochain(); }
}

class Compteur {
    int trou;
    Compteur(int trou) { this.trou = trou; }
    int prochain() { trou += 2; return trou - 2; }
}
";

const JAVA_SELF_PLAY: &str = "package fr.univ.awale;\n\npublic class SelfPlay {\n    \
    public static void main(String[] args) {\n        System.out.println(\"1000 parties\");\n    }\n}\n";

const CMAKE: &str = "cmake_minimum_required(VERSION 3.10)\nproject(projet_awale CXX)\n\
    set(CMAKE_CXX_STANDARD 17)\nadd_library(plateau src/plateau.cpp)\n\
    target_include_directories(plateau PUBLIC include)\n\
    add_executable(joueur src/joueur.cpp)\ntarget_link_libraries(joueur plateau)\n\
    add_executable(arbitre arbitre/arbitre.cpp)\n\
    add_executable(tests_plateau tests/tests_plateau.cpp)\n\
    target_link_libraries(tests_plateau plateau)\n";

const MAKEFILE: &str = "CC = gcc\nCFLAGS = -O2 -Wall -Isrc -MMD\nOBJ = src/awale.o src/plateau.o\n\
    .PHONY: clean all test\n\
    clean:\n\trm -f $(OBJ) awale bench\n\
    all: awale tests/test_plateau bench\n\
    awale: $(OBJ)\n\t$(CC) -o $@ $^\n\
    tests/test_plateau: tests/test_plateau.c src/plateau.o\n\t$(CC) -Isrc -o $@ $^\n\
    bench: bench.c src/plateau.o\n\t$(CC) -Isrc -o $@ $^\n\
    -include src/awale.d\n";

const RUST: &str = r#"use std::io::BufRead as _;

fn main() {
    let mut hole: u32 = std::env::args().nth(1).unwrap().parse().unwrap();
    for line in std::io::stdin().lock().lines() {
        if line.unwrap() == "END" {
            return;
        }
        println!("{hole}R");
        hole += 2;
    }
}
"#;

/// All folders that play without added files.
pub(super) const FOLDERS: [Handed; 14] = [
    Handed {
        name: "cmake_with_tests_and_a_referee",
        needs: &["cmake", "make", "c++"],
        place: "CMakeLists.txt",
        way: "arena with the argument 1",
        files: &[
            ("CMakeLists.txt", CMAKE),
            ("README.md", "# Projet Awalé\n"),
            ("rapport.pdf", "%PDF-1.4\n"),
            ("include/plateau.h", BOARD_H),
            ("src/plateau.cpp", BOARD_C),
            ("src/joueur.cpp", CPP),
            ("arbitre/arbitre.cpp", REFEREE_C),
            ("tests/tests_plateau.cpp", TEST_C),
            (".vscode/settings.json", "{}"),
            ("build/CMakeCache.txt", "CMAKE_HOME_DIRECTORY:INTERNAL=/Users/alice/projet\n"),
            ("cmake-build-debug/CMakeCache.txt", ""),
        ],
        more: nothing,
    },
    Handed {
        name: "make_with_several_targets",
        needs: &["make", "gcc"],
        place: "Makefile",
        way: "arena with the argument 1",
        files: &[
            ("Makefile", MAKEFILE),
            ("src/awale.c", C_WITH_BOARD),
            ("src/plateau.c", BOARD_C),
            ("src/plateau.h", BOARD_H),
            ("src/plateau.o", "an object of a Mac"),
            ("src/awale.d", "src/awale.o: /opt/homebrew/include/stdio.h\n"),
            ("tests/test_plateau.c", TEST_C),
            ("bench.c", "#include \"plateau.h\"\nint main(void) { return next_hole(0) != 2; }\n"),
            (".idea/workspace.xml", "<project/>"),
        ],
        more: |scratch, at| {
            scratch.write(&format!("{at}/awale"), b"\xcf\xfa\xed\xfe of a Mac");
        },
    },
    Handed {
        name: "c_in_a_subfolder_with_two_mains",
        needs: &["cc"],
        place: "awale/src/joueur.c",
        way: "arena with the argument 1",
        files: &[
            ("LISEZMOI.txt", "gcc awale/src/*.c\n"),
            ("awale/docs/sujet.pdf", "%PDF-1.4\n"),
            ("awale/include/plateau.h", BOARD_H),
            ("awale/src/joueur.c", C_WITH_BOARD),
            ("awale/src/plateau.c", BOARD_C),
            ("awale/src/test_plateau.c", TEST_C),
        ],
        more: nothing,
    },
    Handed {
        name: "java_with_packages",
        needs: &["javac", "java"],
        place: "src/main/java/fr/univ/awale/Lanceur.java",
        way: "course with the argument JoueurA",
        files: &[
            ("pom.xml", "<project/>\n"),
            ("Arbitre.java", JAVA_REFEREE),
            ("src/main/java/fr/univ/awale/Lanceur.java", JAVA_COURSE),
            ("src/main/java/fr/univ/awale/SelfPlay.java", JAVA_SELF_PLAY),
            ("src/main/java/fr/univ/awale/ia/Cerveau.java", JAVA_BRAIN),
            (
                "src/test/java/fr/univ/awale/LanceurTest.java",
                "package fr.univ.awale; class LanceurTest {}",
            ),
            ("target/classes/fr/univ/awale/Lanceur.class", "stale"),
        ],
        more: nothing,
    },
    Handed {
        name: "java_beside_the_referee",
        needs: &["javac", "java"],
        place: "Joueur.java",
        way: "arena with the argument 1",
        files: &[
            ("Arbitre.java", JAVA_REFEREE),
            ("Joueur.java", JAVA),
            ("Plateau.java", JAVA_BOARD),
            ("Plateau.class", "stale"),
            ("Joueur.class", "stale"),
        ],
        more: nothing,
    },
    Handed {
        name: "python_package",
        needs: &["python3"],
        place: "awale/__main__.py",
        way: "arena with the argument 1",
        files: &[
            ("README.md", "python3 -m awale 1\n"),
            ("requirements.txt", ""),
            ("awale/__init__.py", ""),
            ("awale/__main__.py", "from .jeu import joue\n\njoue()\n"),
            ("awale/jeu.py", "def joue():\n    import awale.boucle\n"),
            ("awale/boucle.py", PYTHON),
        ],
        more: nothing,
    },
    Handed {
        name: "python_with_modules_and_a_virtual_environment",
        needs: &["python3"],
        place: "joueur.py",
        way: "arena with the argument Joueur1",
        files: &[
            (
                "joueur.py",
                "import sys\nfrom plateau import suivant\n\n\
                 trou = {'Joueur1': 1, 'Joueur2': 2}[sys.argv[1]]\n\
                 for ligne in sys.stdin:\n    if ligne == 'END\\n':\n        break\n    \
                 print(str(trou) + 'R')\n    sys.stdout.flush()\n    trou = suivant(trou)\n",
            ),
            (
                "plateau.py",
                "from constantes import PAS\n\ndef suivant(trou):\n    return trou + PAS\n",
            ),
            ("constantes.py", "PAS = 2\n"),
            ("train.py", "print('entraînement')\n"),
            ("test_plateau.py", "from plateau import suivant\n\nassert suivant(1) == 3\n"),
            ("venv/pyvenv.cfg", "home = /usr/local/bin\n"),
            ("venv/lib/site.py", "input()\n"),
            ("__pycache__/plateau.cpython-311.pyc", "stale"),
        ],
        more: |scratch, at| {
            scratch.write(&format!("{at}/venv/bin/activate"), "");
            let python = scratch.path(&format!("{at}/venv/bin/python3"));
            symlink("/usr/local/bin/python3.11", python).expect("links");
        },
    },
    Handed {
        name: "node_with_a_package",
        needs: &["node"],
        place: "package.json",
        way: "arena with the argument 1",
        files: &[
            (
                "package.json",
                "{\"name\": \"awale\", \"main\": \"./lib/joueur.js\", \"scripts\": {\"test\": \"jest\"}}",
            ),
            ("index.js", "process.stdin.on('data', () => console.log('OK'));\n"),
            (
                "lib/joueur.js",
                "const { suivant } = require('./plateau');\nlet trou = Number(process.argv[2]);\n\
                 require('readline').createInterface({ input: process.stdin }).on('line', ligne => {\n  \
                 if (ligne === 'END') process.exit();\n  process.stdout.write(`${trou}R\\n`);\n  \
                 trou = suivant(trou);\n});\n",
            ),
            ("lib/plateau.js", "exports.suivant = trou => trou + 2;\n"),
            ("node_modules/jest/index.js", "process.stdin.resume();\n"),
        ],
        more: nothing,
    },
    Handed {
        name: "packed_by_a_mac",
        needs: &["python3"],
        place: "Projet Awalé été/mon joueur.py",
        way: "arena with the argument 1",
        files: &[
            ("Projet Awalé été/mon joueur.py", PYTHON),
            ("Projet Awalé été/rapport final.docx", "PK"),
            ("Projet Awalé été/.DS_Store", ""),
            ("__MACOSX/Projet Awalé été/._mon joueur.py", "Mac OS X"),
        ],
        more: nothing,
    },
    Handed {
        name: "from_windows",
        needs: &["c++"],
        place: "Joueur.cpp",
        way: "arena with the argument 1",
        files: &[
            ("Joueur.exe", "MZ of Windows"),
            ("lance.bat", "@echo off\r\nJoueur.exe %1\r\n"),
            ("compile.sh", "#!/bin/bash\r\ng++ Joueur.cpp\r\n"),
            (".vs/x", ""),
            ("Joueur.sln", "Microsoft Visual Studio Solution File\r\n"),
        ],
        more: |scratch, at| {
            for (name, text) in
                [("Joueur.cpp", CPP), ("plateau.cpp", BOARD_C), ("plateau.h", BOARD_H)]
            {
                scratch.write(&format!("{at}/{name}"), text.replace('\n', "\r\n"));
            }
        },
    },
    Handed {
        name: "stale_programs_beside_the_source",
        needs: &["cc"],
        place: "awale.c",
        way: "arena with the argument 1",
        files: &[("awale.c", C), ("awale.o", "stale")],
        more: |scratch, at| {
            // It would play an illegal move.
            program(
                scratch,
                &format!("{at}/awale"),
                "int puts(const char *);\nint main(void) { puts(\"99R\"); }\n",
            );
        },
    },
    Handed {
        name: "a_program_without_its_run_bit",
        needs: &["cc"],
        place: "joueur",
        way: "arena with the argument 1",
        files: &[("LISEZMOI", "chmod +x joueur\n"), ("joueur.exe", "MZ of Windows")],
        more: |scratch, at| {
            let path = scratch.path(&format!("{at}/joueur"));
            program(scratch, &format!("{at}/joueur"), C);
            fs::set_permissions(path, fs::Permissions::from_mode(0o644)).expect("sets");
        },
    },
    Handed {
        name: "cargo_with_two_programs",
        needs: &["cargo"],
        place: "rust/Cargo.toml",
        way: "arena with the argument 1",
        files: &[
            (
                "rust/Cargo.toml",
                "[package]\nname = \"awale\"\nversion = \"0.1.0\"\nedition = \"2021\"\n",
            ),
            ("rust/src/main.rs", RUST),
            ("rust/src/bin/arbitre.rs", "fn main() { std::process::Command::new(\"./awale\"); }\n"),
            ("rapport/rapport.tex", "\\documentclass{article}\n"),
        ],
        more: nothing,
    },
    Handed {
        name: "pitmaster_without_a_manifest",
        needs: &["python3"],
        place: "premier.py",
        way: "pitmaster without arguments",
        files: &[(
            "premier.py",
            "import sys\nfor line in sys.stdin:\n    word, *rest = line.split()\n    \
             if word in ('pitmaster', 'newgame'):\n        print('ready premier', flush=True)\n    \
             elif word == 'moves':\n        moves = rest\n    elif word == 'go':\n        \
             print('move', moves[0], flush=True)\n",
        )],
        more: nothing,
    },
];

/// Compiles a program in the submission.
fn program(scratch: &Scratch, at: &str, source: &str) {
    scratch.write(&format!("{at}.tmp.c"), source);
    let [program, text] = [at.to_owned(), format!("{at}.tmp.c")].map(|name| scratch.path(&name));
    let built = Command::new("cc").arg("-o").arg(&program).arg(&text).status();
    assert!(built.expect("a C compiler").success());
    fs::remove_file(text).expect("removes");
}
