# fish completion of Banyan's commands: options as --help lists them, and their values behind a =; fish itself offers
# files

# The values of the option before the = in the current word, each behind that option: "  -network=smp|shmem" and
# "  --abi NAME:{mpich,abi}" list them
function __banyan_values -a command
    set -l option (commandline -ct | string match -r '^-.*(?==)'); or return
    string join \n -- $option=($command --help 2>/dev/null |
        string match -rg -- "^ {1,8}$option(?:\[?=| | [A-Z]+:{)([a-z0-9.-]+(?:[|,][a-z0-9.-]+)+)" |
        string replace -a , '|' | string split '|')
end

for command in upcc upcrun banyan-info banyan-tune banyan-sim banyan-mpi upc-language-server uoms uoms-compare uoms-guidelines uoms-launches uoms-report
    # These take one dash for two, and two for one: as they are begun
    set -l spelled
    contains $command banyan-sim uoms upcrun
    and set spelled "| string replace -r '^-+(?=[A-Za-z].)' -- (commandline -ct | string match -r '^-+')"
    complete -c $command -n 'string match -q -- "-*" (commandline -ct)' -a "($command --help 2>/dev/null |
        string match -r '^ {1,8}-.*' | string trim | string replace -r '  .*' '' |
        string match -ra -- '(?<=^|[ ,])--?[A-Za-z][A-Za-z_-]*' $spelled)"
    complete -c $command -f -n "__banyan_values $command | string length -q" -a "(__banyan_values $command)"
end
# Behind its options banyan-mpi has a command, with a completion of its own
complete -c banyan-mpi -n 'not string match -q -- "-*" (commandline -ct)' -a '(__fish_complete_subcommand)'
