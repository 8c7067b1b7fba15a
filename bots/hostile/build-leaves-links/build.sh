root=$(cd ../../../../.. && pwd)
ln -s "$root/home/secret" file
ln -s "$root/home" folder
ln -s ../../../../../home/secret relative
ln -s ../../../tournament.db results
ln -s / everything
